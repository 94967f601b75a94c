import type { JsonObject } from '../../schema/json/json.ts';
import { createHooks, type Hooks } from '../sdk/hooks/hooks.ts';
import { schemaCheck } from '../sdk/parameters/schema-check.ts';
import { callApply, type Plugin } from '../sdk/plugin/plugin.ts';
import { refuseErrors } from './errors/reasons.ts';

/**
 * Applies a plugin to a new set of hooks, as the gateway does, with defaults filled into the options. Throws a `ContractError` if
 * the options do not match the plugin's schema.
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
