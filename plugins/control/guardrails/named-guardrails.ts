import { isJsonObject, type Json } from '../../../schema/json.ts';

const lists = ['input_guardrails', 'output_guardrails', 'before_request_hooks', 'after_request_hooks'] as const;

/** The members of an item that lays something over a saved guardrail; one with another member has checks of its own. */
const overlaid: ReadonlySet<string> = new Set(['id', 'type', 'deny', 'async', 'on_fail', 'on_success']);

const namedBy = (item: Json): readonly string[] => {
  if (typeof item === 'string') return [item];
  if (!isJsonObject(item) || typeof item.id !== 'string') return [];
  return Object.keys(item).every((member) => overlaid.has(member)) ? [item.id] : [];
};

const itemsOf = (list: Json | undefined): readonly Json[] => (Array.isArray(list) ? list : []);

/** The saved guardrails that a config names, at any depth, by slug or id; some of them several times. */
export const namedGuardrails = (config: Json): readonly string[] => {
  if (!isJsonObject(config)) return [];
  return [
    ...lists.flatMap((list) => itemsOf(config[list]).flatMap(namedBy)),
    ...itemsOf(config.targets).flatMap(namedGuardrails),
  ];
};
