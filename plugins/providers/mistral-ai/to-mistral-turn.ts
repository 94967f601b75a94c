import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** Members of answers that OpenAI's clients keep and send back. Mistral answers 422 to members that it does not know. */
const foreign: ReadonlySet<string> = new Set([
  ...['reasoning_content', 'reasoning', 'refusal', 'annotations', 'audio', 'function_call', 'parsed'],
]);

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

const asParts = (content: Json | undefined): readonly Json[] => {
  if (Array.isArray(content)) return content;
  return isText(content) ? [{ type: 'text', text: content }] : [];
};

/** Returns the content. A refusal, which Mistral cannot express, becomes the content if there is nothing else. */
const findContent = ({ content, refusal }: JsonObject): Json | undefined => {
  const isEmpty = content === undefined || content === null || content === '';
  return isEmpty && isText(refusal) ? refusal : content;
};

/** Returns the content with the thinking before it: https://docs.mistral.ai/capabilities/reasoning */
const withThinking = (text: string, content: Json | undefined): readonly Json[] => [
  { type: 'thinking', thinking: [{ type: 'text', text }], closed: true },
  ...asParts(content),
];

/**
 * Converts a message of the model to Mistral's form. Thinking, which OpenAI's clients get as `reasoning_content`, becomes a part
 * of the content again.
 */
export const toMistralTurn = (wire: Json): Json => {
  if (!isJsonObject(wire) || wire.role !== 'assistant') return wire;
  const { reasoning_content: reasoning } = wire;
  const kept: JsonObject = Object.fromEntries(Object.entries(wire).filter(([name]) => !foreign.has(name)));
  const content = findContent(wire);
  if (isText(reasoning)) return { ...kept, content: withThinking(reasoning, content) };
  return content === undefined ? kept : { ...kept, content };
};
