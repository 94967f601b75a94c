import type { Answer } from '../../../schema/conversation/answer.ts';
import type { Conversation } from '../../../schema/conversation/conversation.ts';
import { fromJson } from '../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { ConversationCodec, DecodeAnswer, EncodeAnswer, EncodeTarget } from '../../sdk/dialect/dialect.ts';

/** The target that the kit encodes requests for. */
export const target: EncodeTarget = { provider: 'a-provider', strict: true, drop: new Set(), scope: 'here' };

/** The scope of the bound values that the kit decodes. */
export const here: DecodeAnswer = { scope: 'here' };

/** The options with which the kit encodes answers. */
export const options: EncodeAnswer = { provider: 'a-provider', strict: true, streamUsage: true };

/** Returns a value as it would be received: members that are undefined are removed. */
export const overTheWire = (body: JsonObject): JsonObject => fromJson(JSON.stringify(body)) as JsonObject;

/** Encodes a request as it is sent. */
export const writtenRequest = (codec: ConversationCodec, conversation: Conversation): JsonObject =>
  overTheWire(codec.encodeRequest(conversation, target).body);

/** Decodes a request. What the body does not contain comes from the path. */
export const readRequest = (
  codec: ConversationCodec,
  body: JsonObject,
  { model, stream }: Conversation,
): Conversation => codec.decodeRequest(body, { ...here, stream, ...(model === undefined ? {} : { model }) });

/** Encodes an answer as it is sent. */
export const writtenAnswer = (codec: ConversationCodec, answer: Answer): JsonObject =>
  overTheWire(codec.encodeAnswer(answer, options));

/** Whether a loss is declared: `turns[1].parts[0].cache` is covered by `turns.parts.cache`, and by `turns.parts`. */
export const isDeclared = (lost: string, { losses }: ConversationCodec): boolean => {
  const member = lost.replace(/\[\d+\]/g, '');
  return losses.some((loss) => `${member}.`.startsWith(`${loss.member}.`));
};
