import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** Members that clients of OpenAI keep of an answer and send back; Mistral answers 422 to members that it does not know. */
const foreign: ReadonlySet<string> = new Set([
  ...['reasoning_content', 'reasoning', 'refusal', 'annotations', 'audio', 'function_call', 'parsed'],
]);

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

const asParts = (content: Json | undefined): readonly Json[] => {
  if (Array.isArray(content)) return content;
  return isText(content) ? [{ type: 'text', text: content }] : [];
};

/** The content; a refusal, which has no form of its own here, is one where there is nothing else. */
const findContent = ({ content, refusal }: JsonObject): Json | undefined => {
  const isEmpty = content === undefined || content === null || content === '';
  return isEmpty && isText(refusal) ? refusal : content;
};

/** The content with the thinking before it: https://docs.mistral.ai/capabilities/reasoning */
const withThinking = (text: string, content: Json | undefined): readonly Json[] => [
  { type: 'thinking', thinking: [{ type: 'text', text }], closed: true },
  ...asParts(content),
];

/**
 * A message of the model in Mistral's words: what its answers think, which clients of OpenAI are given as `reasoning_content`,
 * is a part of the content again.
 */
export const ownTurn = (wire: Json): Json => {
  if (!isJsonObject(wire) || wire.role !== 'assistant') return wire;
  const { reasoning_content: reasoning } = wire;
  const kept: JsonObject = Object.fromEntries(Object.entries(wire).filter(([name]) => !foreign.has(name)));
  const content = findContent(wire);
  if (isText(reasoning)) return { ...kept, content: withThinking(reasoning, content) };
  return content === undefined ? kept : { ...kept, content };
};
