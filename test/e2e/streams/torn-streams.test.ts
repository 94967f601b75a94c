import { gzipSync } from 'node:zlib';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messages } from '../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../plugins/dialects/responses/responses.ts';
import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import { providerFraming } from '../../../plugins/sdk/framings/provider-framing.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { readMetrics, toLines } from '../../support/gateways/read-metrics.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { lastEvent } from '../../support/torn/torn-bench.ts';
import { expected, isClosed, type TornBy, type WrittenStream, written } from '../../support/torn/torn-stream.ts';
import { streamingDialects, wholeStreams } from '../../support/torn/whole-streams.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

interface Endpoint {
  readonly config: JsonObject;
  readonly path: string;
  readonly body: (text: string) => JsonObject;
}

const asking = (content: string): JsonObject => ({
  model: 'm',
  messages: [{ role: 'user', content }],
  max_tokens: 99,
  stream: true,
});
const withKey = (provider: string): JsonObject => ({ provider, api_key: 'callers-own-key' });

/** The config and path by which the clients of each dialect are served by a provider with the same dialect. */
const endpoints = {
  chat: { config: withKey('openai'), path: '/chat/completions', body: asking },
  messages: { config: withKey('anthropic'), path: '/messages', body: asking },
  responses: {
    config: withKey('openai'),
    path: '/responses',
    body: (input) => ({ model: 'm', input, stream: true }),
  },
  cohere: { config: withKey('cohere'), path: '/v2/chat', body: asking },
  converse: {
    config: { ...withKey('bedrock'), cloudc_region: 'eu-west-1' },
    path: '/model/m/converse-stream',
    body: (text) => ({ messages: [{ role: 'user', content: [{ text }] }] }),
  },
  gemini: {
    config: withKey('google'),
    path: '/models/m:streamGenerateContent?alt=sse',
    body: (text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
  },
  completions: {
    config: withKey('openai'),
    path: '/completions',
    body: (prompt) => ({ model: 'm', prompt, stream: true }),
  },
} satisfies Record<string, Endpoint>;

const toEndpoint = (id: string): Endpoint =>
  new Map<string, Endpoint>(Object.entries(endpoints)).get(id) ?? expect.unreachable(`endpoints has none for ${id}`);

const readConfig = (config: JsonObject): string =>
  JSON.stringify({ ...config, custom_host: `${upstream.origin}/v1`, cache: { mode: 'simple' } });

/** Makes the upstream send these bytes, and then end its transfer in good order or reset it. */
const sends = (type: string, bytes: Buffer, by: TornBy, more: Readonly<Record<string, string>> = {}): void =>
  upstream.handle(async (call) => {
    const lines = Object.entries({ ...more, 'content-type': type, 'transfer-encoding': 'chunked' });
    call.raw(`HTTP/1.1 200 OK\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    if (bytes.length > 0) {
      call.raw(`${bytes.length.toString(16)}\r\n`);
      call.raw(bytes);
      call.raw('\r\n');
    }
    if (by === 'end') call.raw('0\r\n\r\n');
    else {
      await call.drained();
      call.cut();
    }
  });

const ask = async (
  { config, path, body }: Endpoint,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly bytes: Buffer }> => {
  const response = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': readConfig(config), ...headers },
    body: JSON.stringify(body(text)),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const framesIn = ({ framing = 'sse' }: Dialect, bytes: Buffer): readonly Frame[] => {
  const splitter = framings[framing].createSplitter();
  const { frames } = splitter.push(bytes);
  expect(splitter.rest()).toMatchObject({ frames: [], isTorn: false });
  return frames;
};

/**
 * Returns offsets in a stream: before, inside and at the last character of the frame that ends the answer, and after what
 * follows it.
 */
const toLengths = ({ dialect, bytes, places }: WrittenStream): readonly number[] => {
  const last = places.find(({ frame }) => dialect.classify(frame) === 'end') ?? expect.unreachable();
  const begin = places[places.indexOf(last) - 1]?.end ?? 0;
  const inside = [
    begin,
    Math.floor((begin + last.textEnd) / 2),
    last.textEnd - 1,
    last.textEnd,
    last.end,
    last.end + 20,
  ];
  return [...new Set([...inside, bytes.length].filter((length) => length <= bytes.length))];
};

/** Returns the log line of an answer. */
const logged = async ({ headers }: { readonly headers: Headers }): Promise<Record<string, unknown>> => {
  const line = (): Record<string, unknown> | undefined =>
    gateway.records().find(({ trace }) => trace === headers.get('x-gw-trace-id'));
  await expect.poll(line).toBeDefined();
  return line() ?? {};
};

const failures = async (): Promise<number> =>
  Object.values(toLines(await readMetrics(gateway.origin), 'gatewright_stream_failures_total')).reduce(
    (sum, count) => sum + count,
    0,
  );

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([
    startGateway({ files: { 'gateway.json': { usage: true, metrics: true } }, env: { GW_LOG: 'requests' } }),
    startUpstream(),
  ]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const smallest = (dialect: Dialect): WrittenStream =>
  wholeStreams(dialect)
    .map((stream) => written(stream))
    .toSorted((one, other) => one.bytes.length - other.bytes.length)[0] ?? expect.unreachable();

describe.each(streamingDialects.map((dialect) => [dialect.id, dialect] as const))('a stream of %s', (id, dialect) => {
  const endpoint = toEndpoint(id);
  const stream = smallest(dialect);
  const { contentType } = providerFraming(dialect);
  const cuts = toLengths(stream).flatMap((length) => (['end', 'reset'] as const).map((by) => ({ length, by })));

  it.each(cuts)(
    'that ends after $length bytes, by $by, is complete only if its last frame arrived',
    async ({ length, by }) => {
      const { hasEnded, isTorn, frames } = expected(stream, length, by);
      sends(contentType, stream.bytes.subarray(0, length), by);
      const failedBefore = await failures();
      const text = `after ${length} bytes by ${by}`;
      const first = await ask(endpoint, text);
      const again = await ask(endpoint, text);
      const isWhole = hasEnded && (by === 'end' || isClosed(dialect, frames));
      const isKept = isWhole && !isTorn;
      expect(again.headers.get('x-gw-cache-status')).toBe(isKept ? 'HIT' : 'MISS');
      if (isKept) expect(again.bytes).toEqual(first.bytes);
      const line = await logged(first);
      if (isWhole) {
        expect(lastEvent(dialect, framesIn(dialect, first.bytes))).toBe('end');
        expect(line).toMatchObject({ status: 200, end: 'complete' });
        expect(line).not.toHaveProperty('problem');
        expect(await failures()).toBe(failedBefore);
        return;
      }
      expect(line).toMatchObject({ problem: { cause: 'stream-cut' } });
      const settled = [line.trail].flat().find((event) => isObject(event) && event.kind === 'settled');
      expect(settled).toMatchObject({ usage: { kind: expect.stringMatching(/partial|estimated/) } });
      if (first.status === 200) {
        expect(lastEvent(dialect, framesIn(dialect, first.bytes))).toBe('error');
        expect(line).toMatchObject({ status: 200, end: 'failed' });
        expect(await failures()).toBe(failedBefore + 2);
      } else expect([first.status, line.status]).toEqual([502, 502]);
    },
  );

  it.runIf(dialect.framing === undefined)('has its usage comment after a whole frame', async () => {
    for (const length of toLengths(stream)) {
      sends(contentType, stream.bytes.subarray(0, length), 'end');
      const { status, bytes } = await ask(endpoint, `comment ${length}`, { 'x-gw-usage': 'true' });
      if (status === 200)
        expect(bytes.toString()).toMatch(/\n\n: x-gw-usage \{"kind":.*\}\n\n(?:: x-gw-cost .*\n\n)?$/);
    }
  });
});

describe('the official client', () => {
  const official = { apiKey: 'not-sent', maxRetries: 0 };
  const toHeaders = ({ config }: Endpoint): Record<string, string> => ({ 'x-gw-config': readConfig(config) });
  const toBytes = (dialect: Dialect): string => smallest(dialect).bytes.toString();

  it('of Anthropic gets its message if the last event lacks its empty line', async () => {
    sends('text/event-stream', Buffer.from(toBytes(messages).trimEnd()), 'end');
    const client = new Anthropic({
      ...official,
      baseURL: gateway.origin,
      defaultHeaders: toHeaders(endpoints.messages),
    });
    const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: 'official' }] };
    const { content } = await client.messages.stream(body).finalMessage();
    expect(content).toMatchObject([{ text: 'It rains in Köln ☔.' }]);
  });

  it('of OpenAI gets its response if the last event lacks its empty line, and an error if it was cut off', async () => {
    const whole = toBytes(responses).trimEnd();
    const client = new OpenAI({
      ...official,
      baseURL: gateway.baseUrl,
      defaultHeaders: toHeaders(endpoints.responses),
    });
    const read = (input: string) => client.responses.stream({ model: 'm', input }).finalResponse();
    sends('text/event-stream', Buffer.from(whole.slice(0, -1)), 'end');
    await expect(read('torn')).rejects.toThrow('The provider ended its stream before the answer was complete.');
    sends('text/event-stream', Buffer.from(whole), 'end');
    expect((await read('whole')).output_text).toBe('It rains in Köln ☔.');
  });

  it('of OpenAI gets an error whose number continues those of the events before it', async () => {
    const whole = toBytes(responses);
    const client = new OpenAI({
      ...official,
      baseURL: gateway.baseUrl,
      defaultHeaders: toHeaders(endpoints.responses),
    });
    sends('text/event-stream', Buffer.from(whole.slice(0, whole.indexOf('event: response.completed'))), 'reset');
    const response = await client.responses.create({ model: 'm', input: 'numbers', stream: true }).asResponse();
    const numbers = [...(await response.text()).matchAll(/"sequence_number":(\d+)/g)].map(([, number]) =>
      Number(number),
    );
    expect(numbers).toEqual([...numbers.keys()]);
    expect(numbers.length).toBeGreaterThan(4);
  });
});

describe('an encoded stream', () => {
  const encoded = gzipSync(smallest(messages).bytes);

  it.each([
    ['within its data', 'end', encoded.length - 40, 'error'],
    ['within its data', 'reset', encoded.length - 40, 'error'],
    ['within its checksum', 'end', encoded.length - 4, 'end'],
    ['nowhere', 'end', encoded.length, 'end'],
  ] as const)('that is cut %s, by %s, ends accordingly', async (_where, by, length, last) => {
    sends('text/event-stream', encoded.subarray(0, length), by, { 'content-encoding': 'gzip' });
    const { status, bytes } = await ask(endpoints.messages, `gzip ${length} ${by}`);
    if (status === 200) expect(lastEvent(messages, framesIn(messages, bytes))).toBe(last);
    else expect([status, last]).toEqual([502, 'error']);
  });
});

describe('a stream of two choices without an end marker', () => {
  const chunk = (index: number, isLast: boolean): string =>
    `data: ${JSON.stringify({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index, delta: isLast ? {} : { content: 'Hi.' }, finish_reason: isLast ? 'stop' : null }],
    })}\n\n`;
  const candidate = (index: number, isLast: boolean): string =>
    `data: ${JSON.stringify({
      candidates: [
        { index, content: { role: 'model', parts: [{ text: 'Hi.' }] }, ...(isLast ? { finishReason: 'STOP' } : {}) },
      ],
    })}\n\n`;
  const { chat, gemini } = endpoints;
  const subjects: readonly (readonly [string, Endpoint, typeof chunk])[] = [
    ['chat', { ...chat, body: (text) => ({ ...chat.body(text), n: 2 }) }, chunk],
    [
      'gemini',
      { ...gemini, body: (text) => ({ ...gemini.body(text), generationConfig: { candidateCount: 2 } }) },
      candidate,
    ],
  ];

  it.each(subjects)('of %s is complete once both have ended', async (_id, endpoint, frame) => {
    const frames = [frame(0, false), frame(1, false), frame(0, true), frame(1, true)];
    for (const count of [3, 4]) {
      sends('text/event-stream', Buffer.from(frames.slice(0, count).join('')), 'end');
      const first = await ask(endpoint, `${count} frames`);
      const again = await ask(endpoint, `${count} frames`);
      const end = count === 4 ? 'complete' : 'failed';
      expect(await logged(first)).toMatchObject({ status: 200, end });
      expect(again.headers.get('x-gw-cache-status')).toBe(count === 4 ? 'HIT' : 'MISS');
    }
  });
});
