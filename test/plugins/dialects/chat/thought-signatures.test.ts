import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../schema/conversation/answer.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { bothWays } from '../support/both-ways.ts';
import { chatCodec, here } from '../support/codecs.ts';
import { toEvents, toFrames } from '../support/frames.ts';
import { call, clients, question, turnSentBack } from '../support/next-turn.ts';

const signed = (service: string): JsonObject => ({ extra_content: { [service]: { thought_signature: 'EjQKMgEM' } } });
const second = { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Nice"}' } };

interface Sample {
  readonly message: JsonObject;
  /** The chunks of a stream, as Google's endpoints send them: without the index of a call. */
  readonly deltas: readonly JsonObject[];
  readonly finish: string;
}

/** https://ai.google.dev/gemini-api/docs/thought-signatures, https://ai.google.dev/gemini-api/docs/openai */
const samples: { readonly [what: string]: Sample } = {
  'the signature of the first of two calls': {
    message: { content: null, tool_calls: [{ ...call, ...signed('google') }, second] },
    deltas: [{ tool_calls: [{ ...call, ...signed('google') }] }, { tool_calls: [second] }],
    finish: 'tool_calls',
  },
  'the signature of a call after a text': {
    message: { content: 'Let me look.', tool_calls: [{ ...call, ...signed('google') }] },
    deltas: [{ content: 'Let me ' }, { content: 'look.' }, { tool_calls: [{ ...call, ...signed('google') }] }],
    finish: 'tool_calls',
  },
  "the signature of a call in Vertex AI's member": {
    message: { content: null, tool_calls: [{ ...call, ...signed('vertex') }] },
    deltas: [{ tool_calls: [{ ...call, ...signed('vertex') }] }],
    finish: 'tool_calls',
  },
  'the signature of a text': {
    message: { content: 'It is sunny.', ...signed('google') },
    deltas: [{ content: 'It is ' }, { content: 'sunny.' }, { ...signed('google') }],
    finish: 'stop',
  },
};

const wholeAnswer = ({ message, finish }: Sample): JsonObject => ({
  id: 'a',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
});

const streamText = ({ deltas, finish }: Sample): string => {
  const chunks = [...deltas, {}].map((delta, at) => {
    const choice = { index: 0, delta, finish_reason: at === deltas.length ? finish : null };
    return `data: ${JSON.stringify({ id: 'a', model: 'm', choices: [choice] })}\n\n`;
  });
  return `${chunks.join('')}data: [DONE]\n\n`;
};

const cases = Object.entries(clients).flatMap(([id, client]) =>
  Object.entries(samples).map(([what, sample]) => [id, what, client, sample] as const),
);

describe("a signature from Google's compatible endpoints, in the next turn", () => {
  it.each(cases)('comes back from a %s client: %s', (_id, _what, client, sample) => {
    expect(turnSentBack(client, wholeAnswer(sample))).toEqual({ role: 'assistant', ...sample.message });
  });

  it.each(cases)('comes back from a %s client that streams: %s', (_id, _what, client, sample) => {
    expect(turnSentBack(client, streamText(sample))).toEqual({ role: 'assistant', ...sample.message });
  });

  it.each(Object.entries(samples))('is sent as it was within the format: %s', (_what, { message }) => {
    const messages = [question, { role: 'assistant', ...message }, question];
    const { written, lost } = bothWays(chatCodec, { messages });
    expect(written.messages).toEqual(messages);
    expect(lost).toEqual([]);
  });

  it('comes before the audio of the same message, in a whole answer as in a stream', () => {
    const spoken = { audio: { id: 'audio_1', data: 'AAAA' }, ...signed('google') };
    const sample = { message: { content: null, ...spoken }, deltas: [spoken], finish: 'stop' };
    const kinds = ({ choices: [choice] }: Answer): unknown => choice?.parts.map(({ kind }) => kind);
    const streamed = foldAnswer(toEvents(chatCodec.streamDecoder(here), toFrames(streamText(sample))));
    expect(kinds(streamed)).toEqual(['reasoning', 'media']);
    expect(kinds(chatCodec.decodeAnswer(wholeAnswer(sample), here))).toEqual(['reasoning', 'media']);
  });
});
