import { firstSpelling, settingFields } from '../../../../schema/config/provider-fields.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { fromPointer, type JsonPointer } from '../../../../schema/json/pointer.ts';
import { valueAt } from '../../kernel/secrets/literals.ts';

/** The lists of hooks, with how many steps it takes from one to a single check of it. */
const stepsToCheck: ReadonlyMap<string, number> = new Map([
  ['input_guardrails', 2],
  ['output_guardrails', 2],
  ['before_request_hooks', 3],
  ['after_request_hooks', 3],
]);

const deciding: ReadonlySet<string> = new Set([
  ...['provider', 'virtual_key', 'prompt_id', 'custom_host'],
  ...settingFields,
]);

const decidingMembers = (node: Json | undefined): Json =>
  isJsonObject(node)
    ? Object.fromEntries(
        Object.entries(node)
          .map(([name, value]) => [firstSpelling(name), value] as const)
          .filter(([name]) => deciding.has(name)),
      )
    : null;

/**
 * Picks all of a config that decides where the secret at a place is sent: of a check, the whole check; of a target, its provider,
 * host and settings, and those of the configs around it, from which it inherits.
 */
export const readDestination = (config: Json, pointer: JsonPointer): Json => {
  const tokens = fromPointer(pointer);
  const list = tokens.findIndex((token) => stepsToCheck.has(token));
  if (list === -1) return tokens.map((_, depth) => decidingMembers(valueAt(config, tokens.slice(0, depth))));
  const steps = stepsToCheck.get(tokens[list] ?? '') ?? 0;
  return valueAt(config, tokens.slice(0, list + steps + 1)) ?? null;
};
