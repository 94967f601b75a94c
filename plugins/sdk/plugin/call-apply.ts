import type { JsonObject } from '../../../schema/json/json.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { Plugin } from './plugin.ts';

/**
 * Lets a plugin tap hooks. Throws what its `apply` throws, and a `TypeError` where that gives a promise: the hooks are sealed
 * by the time it goes on, and a policy that fails then would admit everything.
 */
export const callApply = (plugin: Plugin, hooks: Hooks, options: JsonObject): void => {
  const given: unknown = plugin.apply?.(hooks, options);
  if (!(given instanceof Promise)) return;
  given.catch(() => {});
  throw new TypeError('it may not be async, since a hook that it taps later is never called');
};
