import { isJsonObject, type Json } from '../../../../schema/json/json.ts';

const member = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/** The text of the first choice in a chat completion, a completion, or a chunk of either; empty if it has none. */
export const completionText = (value: Json): string => {
  const choices = member(value, 'choices');
  const first = Array.isArray(choices) ? choices[0] : undefined;
  const said = member(first, 'delta') ?? member(first, 'message');
  const text = member(said, 'content') ?? member(first, 'text');
  return typeof text === 'string' ? text : '';
};
