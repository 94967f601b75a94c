import type { ConversationCodec } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Answer, AnswerChoice } from '../../../../schema/conversation/answer.ts';
import type { Conversation, Part, Turn } from '../../../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { answerEvents } from './answer-events.ts';
import { answerOptions, here } from './codecs.ts';
import { toEvents, toFrames, toText } from './frames.ts';

const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };

const overTheWire = (body: JsonObject): JsonObject => JSON.parse(JSON.stringify(body)) as JsonObject;

/** Reads and writes a request with one codec. Returns the conversation, the written body and what was lost. */
export const bothWays = (
  codec: ConversationCodec,
  wire: JsonObject,
): { readonly read: Conversation; readonly written: JsonObject; readonly lost: readonly string[] } => {
  const read = codec.decodeRequest(wire, here);
  const { body, lost } = codec.encodeRequest(read, target);
  return { read, written: overTheWire(body), lost };
};

/** Builds a conversation with these turns and otherwise minimal members. */
export const toConversation = (turns: readonly Turn[], more: Partial<Conversation> = {}): Conversation => ({
  model: 'm',
  system: [],
  turns,
  tools: [],
  sampling: { maxTokens: 100 },
  stream: false,
  extensions: {},
  ...more,
});

/** Returns a conversation as a codec writes it for a target whose scope is `here`. */
export const written = (
  codec: ConversationCodec,
  conversation: Conversation,
): { readonly body: JsonObject; readonly lost: readonly string[] } => {
  const { body, lost } = codec.encodeRequest(conversation, target);
  return { body: overTheWire(body), lost };
};

/** Builds an answer with these parts. */
export const toAnswer = (parts: readonly Part[], more: Partial<AnswerChoice & Answer> = {}): Answer => {
  const { usage, finish = { reason: 'stop' } } = more;
  return {
    id: 'a',
    model: 'm',
    created: 1,
    choices: [{ index: 0, parts, finish }],
    extensions: {},
    ...(usage === undefined ? {} : { usage }),
  };
};

/** Returns what a client of the codec reads of an answer, both whole and as a stream. */
export const roundTripAnswer = (
  codec: ConversationCodec,
  answer: Answer,
  strict = true,
): { readonly wire: JsonObject; readonly whole: Answer; readonly stream: string; readonly streamed: Answer } => {
  const options = { ...answerOptions, strict };
  const wire = overTheWire(codec.encodeAnswer(answer, options));
  const encoder = codec.streamEncoder(options);
  const stream = toText(answerEvents(answer).flatMap((event) => encoder.push(event)));
  return {
    wire,
    whole: codec.decodeAnswer(wire, here),
    stream,
    streamed: foldAnswer(toEvents(codec.streamDecoder(here), toFrames(stream))),
  };
};
