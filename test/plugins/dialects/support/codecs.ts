import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../../../plugins/dialects/converse/converse.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../../plugins/dialects/responses/responses.ts';
import type { ConversationCodec, Dialect, EncodeAnswer } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { toEvents, toFrames, toText } from './frames.ts';

const toCodec = ({ id, conversation }: Dialect): ConversationCodec => {
  if (conversation === undefined) throw new Error(`${id} does not converse.`);
  return conversation;
};

export const chatCodec: ConversationCodec = toCodec(chat);
export const messagesCodec: ConversationCodec = toCodec(messages);
export const geminiCodec: ConversationCodec = toCodec(gemini);
export const responsesCodec: ConversationCodec = toCodec(responses);
export const cohereCodec: ConversationCodec = toCodec(cohere);
export const converseCodec: ConversationCodec = toCodec(converse);

/** The scope of bound values that do not specify one. */
export const here = { scope: 'here' } as const;

export const answerOptions: EncodeAnswer = {
  provider: 'test',
  strict: true,
  streamUsage: true,
  id: 'gw-1',
  created: 1_760_000_000,
};

/** Translates a request from one dialect to another. Returns its body and what was lost. */
export const requestVia = (
  from: ConversationCodec,
  to: ConversationCodec,
  wire: JsonObject,
  drop: readonly string[] = [],
): { body: JsonObject; lost: readonly string[] } => {
  const target = { provider: 'test', strict: true, drop: new Set(drop), scope: here.scope };
  const { body, lost } = to.encodeRequest(from.decodeRequest(wire, here), target);
  return { body: JSON.parse(JSON.stringify(body)) as JsonObject, lost };
};

/** Translates a stream from one dialect to another. */
export const streamVia = (
  from: ConversationCodec,
  to: ConversationCodec,
  text: string,
  options: EncodeAnswer = answerOptions,
): string => {
  const encoder = to.streamEncoder(options);
  const events = toEvents(from.streamDecoder(here), toFrames(text));
  return toText([...events.flatMap((event) => encoder.push(event)), ...encoder.end()]);
};

/** Translates an answer from one dialect to another. */
export const answerVia = (
  from: ConversationCodec,
  to: ConversationCodec,
  wire: JsonObject,
  options: EncodeAnswer = answerOptions,
): JsonObject => JSON.parse(JSON.stringify(to.encodeAnswer(from.decodeAnswer(wire, here), options))) as JsonObject;
