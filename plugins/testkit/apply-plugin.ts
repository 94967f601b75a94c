import type { JsonObject } from '../../schema/json/json.ts';
import { createHooks, type Hooks } from '../sdk/hooks/hooks.ts';
import { schemaCheck } from '../sdk/parameters/schema-check.ts';
import { callApply, type Plugin } from '../sdk/plugin/plugin.ts';
import { refuseErrors } from './errors/reasons.ts';

/**
 * Applies a plugin to hooks of its own, as a gateway does: with options that its schema accepts, defaults filled in. Throws a
 * `ContractError` where it does not accept them.
 */
export const applyPlugin = (plugin: Plugin, options: JsonObject = {}): Hooks => {
  const verdict = schemaCheck(plugin.options ?? { type: 'object', properties: {} }, options);
  refuseErrors(
    `The plugin "${plugin.name}" with the options ${JSON.stringify(options)}`,
    verdict.kind === 'errors' ? verdict.errors.map(({ message }) => message) : [],
  );
  const hooks = createHooks();
  callApply(plugin, hooks, verdict.kind === 'errors' ? options : (verdict.value as JsonObject));
  return hooks;
};
