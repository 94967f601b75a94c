import { gatewayError } from '../../../schema/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { toObjects } from '../../../schema/json/loose.ts';
import { chatWithOwnNames, withOwnNames } from './own-names.ts';

/** Members of OpenAI clients' requests, with the values that have no effect. */
const asksNothing: Readonly<Record<string, Json>> = {
  n: 1,
  best_of: 1,
  echo: false,
  frequency_penalty: 0,
  presence_penalty: 0,
};

const withoutDefaults = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => value === null || asksNothing[name] !== value));

const refuse = (dialect: string, reason: string): never => {
  throw gatewayError('invalid-request', { dialect, reason });
};

/**
 * Converts a request of OpenAI's completions to fill-in-the-middle: https://docs.mistral.ai/api/endpoint/fim. Throws the
 * `GatewayError` `invalid-request`.
 */
export const completionsFimBody = (wire: JsonObject): JsonObject => {
  const { prompt, ...rest } = wire;
  const [text, ...others] = Array.isArray(prompt) ? prompt : [prompt];
  if (typeof text !== 'string' || others.length > 0)
    return refuse('completions', 'prompt must be a single text: fill-in-the-middle accepts nothing else.');
  return withOwnNames(withoutDefaults({ ...rest, prompt: text }));
};

/** Returns the text of a content, or undefined if it contains anything else. */
const contentText = (content: Json | undefined): string | undefined => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = toObjects(content).map(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? text : undefined,
  );
  return texts.length === content.length && !texts.includes(undefined) ? texts.join('') : undefined;
};

/** Returns the prompt of a chat without a `prompt` of its own: its only message. */
const messagePrompt = (messages: Json | undefined): string | undefined => {
  const [message, ...others] = Array.isArray(messages) ? messages : [];
  if (!isJsonObject(message) || message.role !== 'user' || others.length > 0) return undefined;
  return contentText(message.content);
};

/**
 * Converts a chat to fill-in-the-middle. It has a `prompt`, and optionally a `suffix`, or one message of a user, which is the
 * prompt. Throws the `GatewayError` `invalid-request`.
 */
export const chatFimBody = (wire: JsonObject): JsonObject => {
  const { messages, prompt, ...rest } = wire;
  const text = prompt === undefined || prompt === null ? messagePrompt(messages) : prompt;
  if (typeof text !== 'string')
    return refuse(
      'chat',
      'fill-in-the-middle takes a text as its prompt, or one message of a user with nothing but a text.',
    );
  return chatWithOwnNames(withoutDefaults({ ...rest, prompt: text }));
};
