import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cohere } from '../../../../plugins/dialects/cohere/cohere.ts';
import { completions } from '../../../../plugins/dialects/completions/completions.ts';
import { converse } from '../../../../plugins/dialects/converse/converse.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../../plugins/dialects/responses/responses.ts';
import type { Dialect, Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { providerFraming } from '../../../../plugins/sdk/framings/provider-framing.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { toBytes } from '../../../runtime/engine/stream-stages/kit.ts';
import {
  allowed,
  type Client,
  type DialectId,
  denied,
  type JudgingGateway,
  startJudging,
  toClient,
} from '../support/judging-gateway.ts';

let world: JudgingGateway;

beforeAll(async () => {
  world = await startJudging();
});
afterAll(() => world[Symbol.asyncDispose]());

interface Case {
  /** The dialect of the provider, and of the client if `client` is not set. */
  readonly id: DialectId;
  readonly client?: Client;
  /** The body of the client, without words that a check denies. */
  readonly body: JsonObject;
}

interface WholeCase extends Case {
  readonly answer: (words: string) => JsonObject;
}

interface StreamCase extends Case {
  readonly dialect: Dialect;
  readonly frames: (words: string) => readonly Frame[];
}

const hi = { role: 'user', content: 'Hi.' };
const event = (data: JsonObject): Frame => ({ event: String(data.type), data: JSON.stringify(data) });
const named = (name: string, data: JsonObject): Frame => ({ event: name, data: JSON.stringify(data) });

const spoken = { id: 'responses', body: { input: 'Hi.' } } as const;
const cited = { id: 'cohere', body: { messages: [hi] } } as const;
const guarded = { id: 'converse', body: { messages: [{ role: 'user', content: [{ text: 'Hi.' }] }] } } as const;
const reasoned = { id: 'completions', body: { prompt: 'Hi.' } } as const;
/** A client of Gemini whose requests a provider of Claude answers. */
const googled = {
  id: 'messages',
  client: { ...toClient('gemini'), provider: 'anthropic' },
  body: { contents: [{ role: 'user', parts: [{ text: 'Hi.' }] }], generationConfig: { maxOutputTokens: 9 } },
} as const;

const response = (output: readonly Json[]): JsonObject => ({
  id: 'r',
  object: 'response',
  model: 'm',
  output: [...output],
});
const citation = (words: string): JsonObject => ({
  ...{ start: 0, end: 2, text: 'Hi' },
  sources: [{ type: 'tool', id: 't:0', tool_output: { weather: words } }],
});
const trace = (words: string): JsonObject => ({
  guardrail: { modelOutput: [words], inputAssessment: {}, actionReason: 'No action.' },
});
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const half = (words: string): readonly [string, string] => [words.slice(0, 4), words.slice(4)];
const claude = { id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: null, stop_sequence: null };
const claudeUsage = { input_tokens: 1, output_tokens: 1 };

const whole: Readonly<Record<string, WholeCase>> = {
  'the transcript of a spoken response': {
    ...spoken,
    answer: (words) =>
      response([
        { type: 'message', role: 'assistant', content: [{ type: 'output_audio', data: 'AAAA', transcript: words }] },
      ]),
  },
  'a tool result that Cohere cites': {
    ...cited,
    answer: (words) => ({
      ...{ id: 'c', finish_reason: 'COMPLETE' },
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }], citations: [citation(words)] },
    }),
  },
  "the trace of Bedrock's guardrail": {
    ...guarded,
    answer: (words) => ({
      output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
      ...{ stopReason: 'end_turn', usage, metrics: { latencyMs: 1 }, trace: trace(words) },
    }),
  },
  'the reasoning of a completion': {
    ...reasoned,
    answer: (words) => ({
      ...{ id: 'c', object: 'text_completion', created: 1, model: 'm' },
      choices: [{ index: 0, text: 'Hi', reasoning: words, finish_reason: 'stop' }],
    }),
  },
  'a member of a Converse answer that no format documents': {
    ...guarded,
    answer: (words) => ({
      output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
      ...{ stopReason: 'end_turn', usage, metrics: { latencyMs: 1 }, invented_member: [{ deep: words }] },
    }),
  },
  'a member of a completion that no format documents': {
    ...reasoned,
    answer: (words) => ({
      ...{ id: 'c', object: 'text_completion', created: 1, model: 'm', invented_member: [{ deep: words }] },
      choices: [{ index: 0, text: 'Hi', finish_reason: 'stop' }],
    }),
  },
  'adjacent texts of Claude, for a client of Gemini': {
    ...googled,
    answer: (words) => ({
      ...claude,
      ...{ stop_reason: 'end_turn', usage: claudeUsage },
      content: half(words).map((text) => ({ type: 'text', text })),
    }),
  },
};

const streamed: Readonly<Record<string, StreamCase>> = {
  'the transcript of a spoken response': {
    ...spoken,
    dialect: responses,
    frames: (words) => [
      event({ type: 'response.created', response: response([]) }),
      ...half(words).map((delta) => event({ type: 'response.audio.transcript.delta', delta })),
      event({ type: 'response.audio.transcript.done' }),
      event({ type: 'response.completed', response: { ...response([]), status: 'completed' } }),
    ],
  },
  'a tool result that Cohere cites': {
    ...cited,
    dialect: cohere,
    frames: (words) => [
      event({ type: 'message-start', id: 'c', delta: { message: { role: 'assistant', content: [] } } }),
      event({ type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } }),
      event({ type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hi' } } } }),
      event({ type: 'content-end', index: 0 }),
      event({ type: 'citation-start', index: 0, delta: { message: { citations: citation(words) } } }),
      event({ type: 'citation-end', index: 0 }),
      event({ type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: {} } }),
    ],
  },
  "the trace of Bedrock's guardrail": {
    ...guarded,
    client: { ...toClient('converse'), path: '/model/m/converse-stream' },
    dialect: converse,
    frames: (words) => [
      named('messageStart', { role: 'assistant' }),
      named('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' } }),
      named('contentBlockStop', { contentBlockIndex: 0 }),
      named('messageStop', { stopReason: 'end_turn' }),
      named('metadata', { usage, metrics: { latencyMs: 1 }, trace: trace(words) }),
    ],
  },
  'the reasoning of a completion': {
    ...reasoned,
    dialect: completions,
    frames: (words) => [
      ...half(words).map((reasoning) => ({
        data: JSON.stringify({ id: 'c', choices: [{ index: 0, text: '', reasoning }] }),
      })),
      { data: JSON.stringify({ id: 'c', choices: [{ index: 0, text: 'Hi', finish_reason: 'stop' }] }) },
      { data: '[DONE]' },
    ],
  },
  'adjacent texts of Claude, for a client of Gemini': {
    ...googled,
    client: { ...googled.client, path: '/v1beta/models/m:streamGenerateContent?alt=sse' },
    dialect: messages,
    frames: (words) => [
      event({ type: 'message_start', message: { ...claude, content: [], usage: claudeUsage } }),
      ...half(words).flatMap((text, index) => [
        event({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } }),
        event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }),
        event({ type: 'content_block_stop', index }),
      ]),
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: claudeUsage }),
      event({ type: 'message_stop' }),
    ],
  },
};

describe('denied words of a provider', () => {
  it.each(Object.entries(whole))('are found in %s', async (_where, { id, client = toClient(id), body, answer }) => {
    for (const [words, status] of [
      [allowed, 200],
      [denied, 446],
    ] as const) {
      world.upstream.handle((call) => call.json(answer(words)));
      expect(await world.ask(client, 'output', body)).toMatchObject({ status, sent: 1 });
    }
  });

  it.each(Object.entries(streamed))(
    'are found in %s, in a stream',
    async (_where, { id, client = toClient(id), body, dialect, frames }) => {
      const { contentType } = providerFraming(dialect);
      const asked = async (words: string): Promise<string> => {
        const bytes = toBytes(dialect, frames(words));
        world.upstream.handle((call) => call.answer({ headers: { 'content-type': contentType }, body: bytes }));
        const isSaid = id !== 'converse' && id !== 'messages';
        return (await world.ask(client, 'output', { ...body, ...(isSaid ? { stream: true } : {}) })).text;
      };
      // However the texts are cut, the last words stay together.
      expect(await asked(allowed)).toContain('of the laboratory');
      expect(await asked(denied)).not.toContain('of the laboratory');
    },
  );
});
