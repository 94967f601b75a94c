import type { ConversationCodec } from '../../../../plugins/sdk/dialect/dialect.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../../schema/json/loose.ts';
import {
  answerOptions,
  answerVia,
  chatCodec,
  converseCodec,
  geminiCodec,
  here,
  messagesCodec,
  requestVia,
  responsesCodec,
  streamVia,
} from './codecs.ts';
import { toEvents, toFrames } from './frames.ts';

export const question: { readonly role: string; readonly content: string } = {
  role: 'user',
  content: 'What is the weather in Lyon?',
};

const callId = 'call_1';

/** The call that the clients answer. */
export const call: JsonObject = {
  id: callId,
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Lyon"}' },
};

/** A client of a format, and how it continues a conversation. */
export interface Client {
  readonly codec: ConversationCodec;
  readonly strict?: boolean;
  /** Returns the next request of a client, with what it got in the answer and the result of the call. */
  next(answer: JsonObject): JsonObject;
}

const first = (list: Json | undefined): JsonObject => toObjects(list)[0] ?? {};

const chatNext = ({ choices }: JsonObject): JsonObject => ({
  messages: [
    question,
    findObject(first(choices).message) ?? {},
    { role: 'tool', tool_call_id: callId, content: 'Sunny.' },
  ],
});

/** The clients of every format that has reasoning. */
export const clients: { readonly [id: string]: Client } = {
  messages: {
    codec: messagesCodec,
    next: ({ content = [] }) => ({
      max_tokens: 100,
      messages: [
        question,
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: callId, content: 'Sunny.' }] },
      ],
    }),
  },
  responses: {
    codec: responsesCodec,
    next: ({ output }) => ({
      input: [question, ...toObjects(output), { type: 'function_call_output', call_id: callId, output: 'Sunny.' }],
    }),
  },
  gemini: {
    codec: geminiCodec,
    next: ({ candidates }) => ({
      contents: [
        { role: 'user', parts: [{ text: question.content }] },
        first(candidates).content ?? null,
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'weather', id: callId, response: { result: 'Sunny.' } } }],
        },
      ],
    }),
  },
  converse: {
    codec: converseCodec,
    next: ({ output }) => ({
      messages: [
        { role: 'user', content: [{ text: question.content }] },
        findObject(output)?.message ?? null,
        { role: 'user', content: [{ toolResult: { toolUseId: callId, content: [{ text: 'Sunny.' }] } }] },
      ],
    }),
  },
  'strict chat': { codec: chatCodec, next: chatNext },
  chat: { codec: chatCodec, strict: false, next: chatNext },
};

/** Returns the answer as a client has it after it has folded a stream. */
const folded = ({ codec, strict = true }: Client, chatStream: string): JsonObject => {
  const options = { ...answerOptions, strict };
  const text = streamVia(chatCodec, codec, chatStream, options);
  const answer = codec.encodeAnswer(foldAnswer(toEvents(codec.streamDecoder(here), toFrames(text))), options);
  return JSON.parse(JSON.stringify(answer)) as JsonObject;
};

/** Returns the model's turn in the request that a chat service gets after a client has received its answer, whole or as a stream. */
export const turnSentBack = (client: Client, answer: JsonObject | string): JsonObject => {
  const { codec, next, strict = true } = client;
  const received =
    typeof answer === 'string'
      ? folded(client, answer)
      : answerVia(chatCodec, codec, answer, { ...answerOptions, strict });
  const { body } = requestVia(codec, chatCodec, next(received));
  return toObjects(body.messages).find(({ role }) => role === 'assistant') ?? {};
};
