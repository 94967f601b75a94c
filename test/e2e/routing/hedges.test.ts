import { setTimeout } from 'node:timers/promises';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError, openaiStream } from '../../support/vendors/openai-wire.ts';
import { sentDuring } from '../support/sent-during.ts';

let gateway: GatewayProcess;
let first: TestUpstream;
let second: TestUpstream;

const messages = [{ role: 'user' as const, content: 'Hello' }];
const slow = 'The first one.';
const quick = 'The second one.';

const target = (upstream: TestUpstream): object => ({
  provider: 'openai',
  api_key: 'callers-own-key',
  custom_host: `${upstream.origin}/v1`,
});

/** Each request earns a second call, so that the first request of a test may use one. */
const hedge = { after_ms: 50, budget_percent: 100 };
let tests = 0;

/** Each test has its own targets, so that no other test earns budget for their fallback. */
const hedged = (more: object = {}, own: object = {}): string => {
  tests += 1;
  return JSON.stringify({
    request_timeout: 60_000 + tests,
    strategy: { mode: 'fallback', hedge: { ...hedge, ...own } },
    targets: [target(first), target(second)],
    ...more,
  });
};

const openai = (config: string, headers: Record<string, string> = {}): OpenAI =>
  new OpenAI({
    baseURL: gateway.baseUrl,
    apiKey: 'unused',
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': config, 'x-gw-usage': 'true', ...headers },
  });

const answered = 'x-gw-last-used-option-index';

const streamed = (call: UpstreamCall, text: string): void => {
  const stream = call.sse();
  for (const frame of openaiStream({ text }, { withUsage: true })) stream.send(frame);
  stream.end();
};

beforeAll(async () => {
  [gateway, first, second] = await Promise.all([
    startGateway({ env: { GW_LOG: 'requests' } }),
    startUpstream(),
    startUpstream(),
  ]);
});
beforeEach(() => {
  first.handle(() => undefined);
  second.handle((call) => call.json(openaiAnswer({ text: quick })));
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.close(), second.close()]);
});

describe('a fallback with a hedge', () => {
  it('returns the answer of the second target if the first is slow, and closes the first call', async () => {
    const { promise: call, resolve } = Promise.withResolvers<UpstreamCall>();
    first.handle(resolve);
    const { data, response } = await openai(hedged()).chat.completions.create({ model: 'm', messages }).withResponse();
    expect(data.choices[0]?.message.content).toBe(quick);
    expect(response.headers.get(answered)).toBe('config.targets[1]');
    expect(response.headers.get('x-gw-attempts')).toMatch(/status=200.*status=499/);
    await (await call).gone;
  });

  it('calls only the first target if it answers in time', async () => {
    first.handle((call) => call.json(openaiAnswer({ text: slow })));
    const sent = await sentDuring([first, second], async () => {
      const { data, response } = await openai(hedged({}, { after_ms: 60_000 }))
        .chat.completions.create({ model: 'm', messages })
        .withResponse();
      expect(data.choices[0]?.message.content).toBe(slow);
      expect(response.headers.get('x-gw-attempts')).not.toContain('499');
    });
    expect(sent).toEqual([1, 0]);
  });

  it('returns the answer of the first target if it comes first after all, and closes the second call', async () => {
    const { promise: call, resolve } = Promise.withResolvers<UpstreamCall>();
    const { promise: later, resolve: answerLater } = Promise.withResolvers<void>();
    first.handle((given) => later.then(() => given.json(openaiAnswer({ text: slow }))));
    second.handle((given) => {
      resolve(given);
      answerLater();
    });
    const { data, response } = await openai(hedged()).chat.completions.create({ model: 'm', messages }).withResponse();
    expect(data.choices[0]?.message.content).toBe(slow);
    expect(response.headers.get(answered)).toBe('config.targets[0]');
    await (await call).gone;
  });

  it('streams from the target that has content first', async () => {
    const { promise: call, resolve } = Promise.withResolvers<UpstreamCall>();
    first.handle((given) => {
      // A head and an event without content are not an answer.
      given.sse().send(openaiStream({ text: slow })[0] ?? '');
      resolve(given);
    });
    second.handle((given) => streamed(given, quick));
    let said = '';
    const stream = await openai(hedged()).chat.completions.create({ model: 'm', messages, stream: true });
    for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? '';
    expect(said).toBe(quick);
    await (await call).gone;
  });

  it('calls no other target after the first content, however slow the rest is', async () => {
    first.handle(async (given) => {
      const stream = given.sse();
      const frames = openaiStream({ text: slow });
      for (const frame of frames.slice(0, -1)) stream.send(frame);
      await setTimeout(2000);
      for (const frame of frames.slice(-1)) stream.send(frame);
      stream.end();
    });
    const sent = await sentDuring([first, second], async () => {
      const config = hedged({}, { after_ms: 1000 });
      const stream = await openai(config).chat.completions.create({ model: 'm', messages, stream: true });
      let said = '';
      for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? '';
      expect(said).toBe(slow);
    });
    expect(sent).toEqual([1, 0]);
  });

  it('waits for the first target if the second fails, and returns the same as the fallback would', async () => {
    const { promise: failed, resolve } = Promise.withResolvers<void>();
    first.handle((given) => failed.then(() => given.json(openaiAnswer({ text: slow }))));
    second.handle((given) => {
      given.json(openaiError('It is overloaded.', 'server_error'), { status: 503 });
      resolve();
    });
    const sent = await sentDuring([first, second], async () => {
      const { data } = await openai(hedged()).chat.completions.create({ model: 'm', messages }).withResponse();
      expect(data.choices[0]?.message.content).toBe(slow);
    });
    expect(sent).toEqual([1, 1]);
  });

  it('continues with the third target if both fail, and calls neither again', async () => {
    const third = await startUpstream((call) => call.json(openaiAnswer({ text: 'The third one.' })));
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    first.handle((given) =>
      asked.then(() => given.json(openaiError('It is overloaded.', 'server_error'), { status: 503 })),
    );
    second.handle((given) => {
      resolve();
      given.json(openaiError('It is overloaded.', 'server_error'), { status: 500 });
    });
    const config = hedged({ targets: [target(first), target(second), target(third)] });
    const sent = await sentDuring([first, second], async () => {
      const data = await openai(config).chat.completions.create({ model: 'm', messages });
      expect(data.choices[0]?.message.content).toBe('The third one.');
    });
    expect(sent).toEqual([1, 1]);
    expect(third.requests).toHaveLength(1);
    await third.close();
  });

  it('calls the second target only as often as its budget allows', async () => {
    first.handle(async (given) => {
      // Much later than the hedge: a busy gateway reads an answer that has arrived before it calls another target.
      await setTimeout(400);
      given.json(openaiAnswer({ text: slow }));
    });
    const client = openai(hedged({}, { after_ms: 10, budget_percent: 25 }));
    const sent = await sentDuring([first, second], async () => {
      for (let at = 0; at < 8; at += 1) await client.chat.completions.create({ model: 'm', messages });
    });
    expect(sent).toEqual([8, 2]);
  });

  it('lets a deadline end both calls', async () => {
    const calls: UpstreamCall[] = [];
    for (const upstream of [first, second]) upstream.handle((given) => void calls.push(given));
    await expect(
      openai(hedged({ deadline_ms: 400 })).chat.completions.create({ model: 'm', messages }),
    ).rejects.toMatchObject({ status: 408, code: 'deadline-exceeded' });
    expect(calls).toHaveLength(2);
    await Promise.all(calls.map(({ gone }) => gone));
  });

  it('ends both calls if the client disconnects', async () => {
    const leaving = new AbortController();
    const calls: UpstreamCall[] = [];
    first.handle((given) => void calls.push(given));
    second.handle((given) => {
      calls.push(given);
      leaving.abort();
    });
    await expect(
      openai(hedged()).chat.completions.create({ model: 'm', messages }, { signal: leaving.signal }),
    ).rejects.toThrow();
    expect(calls).toHaveLength(2);
    await Promise.all(calls.map(({ gone }) => gone));
  });

  it('does not count the cancelled call for its circuit', async () => {
    const breaker = { cb_config: { failure_threshold: 1, cooldown_interval: 600_000 } };
    const config = hedged({ targets: [{ ...target(first), ...breaker }, target(second)] });
    const client = openai(config);
    await client.chat.completions.create({ model: 'm', messages });
    first.handle((call) => call.json(openaiAnswer({ text: slow })));
    second.handle(() => undefined);
    const { choices } = await client.chat.completions.create({ model: 'm', messages });
    expect(choices[0]?.message.content).toBe(slow);
  });

  it('logs the hedge, and that the other call ended as 499', async () => {
    const before = gateway.records().length;
    await openai(hedged()).chat.completions.create({ model: 'm', messages });
    await vi.waitFor(() => expect(gateway.records().length).toBeGreaterThan(before), patience);
    expect(gateway.records().at(-1)?.trail).toMatchObject([
      { kind: 'hedged', path: '', from: 0, to: 1, afterMs: 50 },
      { kind: 'attempted', path: '/targets/1', status: 200 },
      { kind: 'settled', path: '/targets/1', usage: { kind: 'reported' } },
      { kind: 'attempted', path: '/targets/0', status: 499, origin: 'gateway' },
      { kind: 'settled', path: '/targets/0', usage: { kind: 'estimated' } },
      { kind: 'hedgeEnded', path: '', result: 'won' },
    ]);
  });
});

describe('a request that makes the provider store or do something', () => {
  const kept: readonly (readonly [string, (client: OpenAI) => Promise<unknown>])[] = [
    ['a response that is stored', (client) => client.responses.create({ model: 'm', input: 'Hello' })],
    ['a completion that is stored', (client) => client.chat.completions.create({ model: 'm', messages, store: true })],
    [
      'a request with a tool that the provider runs',
      (client) =>
        client.responses.create({ model: 'm', input: 'Hello', store: false, tools: [{ type: 'web_search' }] }),
    ],
    ['a web search', (client) => client.chat.completions.create({ model: 'm', messages, web_search_options: {} })],
    ['a fine-tuning job', (client) => client.fineTuning.jobs.create({ model: 'm', training_file: 'file-1' })],
    [
      'a batch',
      (client) =>
        client.batches.create({ input_file_id: 'file-1', endpoint: '/v1/responses', completion_window: '24h' }),
    ],
  ];

  it.each(kept)('is sent to one target only: %s', async (_what, ask) => {
    first.handle(async (given) => {
      await setTimeout(100);
      given.json(openaiError('No.', 'invalid_request_error'), { status: 400 });
    });
    const config = hedged({}, { after_ms: 10 });
    const own = JSON.parse(config);
    own.strategy.on_status_codes = [503];
    const sent = await sentDuring([first, second], () => ask(openai(JSON.stringify(own))).catch(() => undefined));
    expect(sent).toEqual([1, 0]);
  });

  it('does not include a response that is not stored, or a function of the caller', async () => {
    const tools = [{ type: 'function' as const, name: 'f', parameters: {}, strict: false }];
    const sent = await sentDuring([first, second], () =>
      openai(hedged())
        .responses.create({ model: 'm', input: 'Hello', store: false, tools })
        .catch(() => undefined),
    );
    expect(sent).toEqual([1, 1]);
  });
});
