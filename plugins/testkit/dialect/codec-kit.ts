import type { Answer } from '../../../schema/conversation/answer.ts';
import type { Conversation } from '../../../schema/conversation/conversation.ts';
import { fromJson } from '../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { ConversationCodec, DecodeAnswer, EncodeAnswer, EncodeTarget } from '../../sdk/dialect/dialect.ts';

/** The target that the kit writes requests for. */
export const target: EncodeTarget = { provider: 'a-provider', strict: true, drop: new Set(), scope: 'here' };

/** The scope of the bound values that the kit reads. */
export const here: DecodeAnswer = { scope: 'here' };

/** How the kit writes answers. */
export const options: EncodeAnswer = { provider: 'a-provider', strict: true, streamUsage: true };

/** Converts a value as sending it would: members that are undefined are gone. */
export const overTheWire = (body: JsonObject): JsonObject => fromJson(JSON.stringify(body)) as JsonObject;

/** A request on the wire. */
export const writtenRequest = (codec: ConversationCodec, conversation: Conversation): JsonObject =>
  overTheWire(codec.encodeRequest(conversation, target).body);

/** A request as its dialect reads it; what the body does not say, its path does. */
export const readRequest = (
  codec: ConversationCodec,
  body: JsonObject,
  { model, stream }: Conversation,
): Conversation => codec.decodeRequest(body, { ...here, stream, ...(model === undefined ? {} : { model }) });

/** An answer on the wire. */
export const writtenAnswer = (codec: ConversationCodec, answer: Answer): JsonObject =>
  overTheWire(codec.encodeAnswer(answer, options));

/** `turns[1].parts[0].cache` is a case of the declared `turns.parts.cache`, and of `turns.parts`. */
export const isDeclared = (lost: string, { losses }: ConversationCodec): boolean => {
  const member = lost.replace(/\[\d+\]/g, '');
  return losses.some((loss) => `${member}.`.startsWith(`${loss.member}.`));
};
