import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { schemaCheck } from '../../sdk/parameters/schema-check.ts';
import type { SchemaReason } from '../../sdk/parameters/schema-error.ts';
import type { Plugin } from '../../sdk/plugin/plugin.ts';

/** A plugin with its options bound, or why they are invalid. */
export type BoundPlugin =
  | { readonly kind: 'bound'; readonly plugin: Plugin }
  | { readonly kind: 'errors'; readonly errors: readonly SchemaReason[] };

/** Binds options to a plugin's `apply`, after validating them against its schema and filling in defaults. */
export const bindOptions = (plugin: Plugin, options: JsonObject = {}): BoundPlugin => {
  const verdict = schemaCheck(plugin.options ?? { type: 'object', properties: {} }, options);
  if (verdict.kind === 'errors') return verdict;
  const { options: _schema, integrity: _hash, apply: _apply, start: _start, ...provided } = plugin;
  const filled = isJsonObject(verdict.value) ? verdict.value : options;
  const apply: Plugin['apply'] = (hooks) => plugin.apply?.(hooks, filled);
  const start: Plugin['start'] = (gateway) => plugin.start?.(gateway);
  return {
    kind: 'bound',
    plugin: { ...provided, apply, ...(plugin.start === undefined ? {} : { start }) },
  };
};
