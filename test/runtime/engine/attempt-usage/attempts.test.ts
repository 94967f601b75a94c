import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import type { CallerOverrides, Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import { defineGuardrail, pass } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { type GatewayResponse, headerValue, type UpstreamAnswer } from '../../../../plugins/sdk/http/http.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { createPrices } from '../../../../runtime/usage/prices/create-prices.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import { type ConfigWorld, runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { hanging, StubBody, type StubHandler, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { completionAnswer } from '../../../support/vendors/openai-completions-wire.ts';
import { openaiAnswer, openaiStream } from '../../../support/vendors/openai-wire.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const question = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'What is up?' }] };
const asking: CallerOverrides = { usage: true };
const answering: StubHandler = () => stubAnswer(openaiAnswer({ text: 'The sky.' }));
const record = {
  kind: 'reported',
  model: 'gpt-4o-mini-2024-07-18',
  tier: 'default',
  input: { total: 21, cacheRead: 4, audio: 0 },
  output: { total: 9, reasoning: 0, audio: 0 },
  cacheHitRate: 0.1905,
};

const toRecords = ({ trail }: Exchange): readonly UsageRecord[] =>
  trail.flatMap((event) => (event.kind === 'settled' ? [event.usage] : []));

interface Served {
  readonly response: GatewayResponse;
  readonly exchange: Exchange;
  readonly records: readonly UsageRecord[];
}

const ask = async (
  config: JsonObject,
  world: ConfigWorld,
  { params = question, ...given }: Partial<Exchange> & { readonly params?: JsonObject } = {},
): Promise<Served> => {
  const exchange = sampleExchange(params, given);
  const response = await runConfig(config, world).handle(exchange);
  return { response, exchange, records: toRecords(exchange) };
};

afterEach(() => vi.restoreAllMocks());

describe('a whole answer', () => {
  it('is read for a plugin, for the trail, and for a caller who requests its usage', async () => {
    const seen: UsageRecord[] = [];
    const plugin = definePlugin({
      name: 'meter',
      apply: (hooks) => hooks.usageRecorded.tap('meter', ({ usage }) => void seen.push(usage)),
    });
    const tapped = await ask(openai, { upstream: answering, plugins: [plugin] });
    expect([seen, tapped.records]).toEqual([[record], [record]]);
    expect((await ask(openai, { upstream: answering, usage: true })).records).toEqual([record]);
    expect((await ask(openai, { upstream: answering }, { overrides: asking })).records).toEqual([record]);
  });

  it('takes the model of its request if it names none, and only then reads the request', async () => {
    const unnamed = { ...openaiAnswer({ text: 'The sky.' }), model: undefined };
    const read = vi.fn(() => question);
    const given = { overrides: asking, json: read };
    expect((await ask(openai, { upstream: answering }, given)).records).toEqual([record]);
    expect(read).not.toHaveBeenCalled();
    const { records, response } = await ask(openai, { upstream: () => stubAnswer(unnamed) }, given);
    expect(records).toEqual([{ ...record, model: 'gpt-4o-mini' }]);
    expect(JSON.parse(headerValue(response.headers, 'x-gw-usage') ?? '')).toMatchObject({ model: 'gpt-4o-mini' });
    expect(read).toHaveBeenCalled();
  });

  it('is priced by the model of its request if its own has no price', async () => {
    const answer = { ...openaiAnswer({ text: 'The sky.' }), model: 'an-unknown-deployment' };
    const prices = createPrices();
    // Virtual time would pass while the prices are loaded.
    await prices.ready();
    const world = { upstream: () => stubAnswer(answer), prices };
    const { records } = await ask(openai, world, { overrides: asking });
    expect(records).toMatchObject([{ model: 'an-unknown-deployment', cost: { prices: 'genai-prices' } }]);
  });

  it('has its request read if its usage is recorded in the trail', async () => {
    const read = vi.fn(() => question);
    await ask(openai, { upstream: answering, usage: true }, { overrides: asking, json: read });
    expect(read).toHaveBeenCalled();
  });

  it('is read even if it is too long to be parsed whole, or estimated from its text if it reports no usage', async () => {
    const text = 'The sky. '.repeat(20_000);
    const unreported = { ...openaiAnswer({ text }), usage: null };
    const reported = await ask(openai, { upstream: () => stubAnswer(openaiAnswer({ text })) }, { overrides: asking });
    expect(reported.records).toEqual([record]);
    const estimated = await ask(openai, { upstream: () => stubAnswer(unreported) }, { overrides: asking });
    const output = { total: text.length / 4 };
    expect(estimated.records).toMatchObject([{ kind: 'estimated', model: record.model, output }]);
  });

  it('is parsed once for everything that reads it', async () => {
    const checking = definePlugin({
      name: 'checking',
      guardrails: [
        defineGuardrail({
          ...{ id: 'checking.passes', parameters: { type: 'object', properties: {} } },
          create: () => () => pass(),
        }),
      ],
    });
    const config = { ...openai, cache: { mode: 'simple' }, output_guardrails: [{ 'checking.passes': {} }] };
    const answer = JSON.stringify(openaiAnswer({ text: 'The sky.' }));
    const parse = vi.spyOn(JSON, 'parse');
    const world = { upstream: answering, plugins: [checking] };
    const { records, response } = await ask(config, world, { overrides: asking });
    expect([response.leaf?.cache, records]).toEqual(['MISS', [record]]);
    expect(parse.mock.calls.filter(([text]) => text === answer)).toHaveLength(1);
  });

  it('is read for the requests that a plugin selects, or for all if another plugin taps without selecting', async () => {
    const choosing = definePlugin({
      name: 'choosing',
      apply: (hooks) => {
        hooks.usageWanted.tap('choosing', ({ traceId }) => (traceId === 'wanted' ? true : undefined));
        hooks.usageRecorded.tap('choosing', () => {});
      },
    });
    const other = definePlugin({ name: 'other', apply: (hooks) => hooks.usageRecorded.tap('other', () => {}) });
    const world = { upstream: answering, plugins: [choosing] };
    expect((await ask(openai, world, { traceId: 'wanted' })).records).toEqual([record]);
    expect((await ask(openai, world, { traceId: 'unwanted' })).records).toEqual([]);
    const both = { upstream: answering, plugins: [choosing, other] };
    expect((await ask(openai, both, { traceId: 'unwanted' })).records).toEqual([record]);
  });

  it('is not read if nothing needs it', async () => {
    const reads = [vi.spyOn(chat, 'usage'), vi.spyOn(chat, 'answeredBy')];
    const upstream: StubHandler = ({ body }) =>
      JSON.parse(body.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '{}').stream === true
        ? stubAnswer(openaiStream({ text: 'Hi.' }).join(''), { headers: ['content-type', 'text/event-stream'] })
        : stubAnswer(openaiAnswer({ text: 'Hi.' }));
    const world = runConfig(openai, { upstream });
    for (const stream of [false, true]) {
      const exchange = sampleExchange({ ...question, stream });
      const response = await world.handle(exchange);
      if (response.body.kind === 'stream') response.body.discard();
      expect(exchange.trail.map(({ kind }) => kind)).toEqual(['attempted']);
      expect(world.upstreams.requests.at(-1)?.body).toEqual(exchange.request.body);
    }
    for (const read of reads) expect(read).not.toHaveBeenCalled();
  });

  it('reports its usage in headers only to a caller who requests it', async () => {
    const prices = createPrices({ openai: { '*': { input: 100, output: 200, cache_read: 50 } } });
    await prices.ready();
    const { response } = await ask(openai, { upstream: answering, prices }, { overrides: asking });
    expect(JSON.parse(headerValue(response.headers, 'x-gw-usage') ?? '')).toEqual(record);
    // 17 tokens at 100, 4 at 50 and 9 at 200 dollars per million.
    expect(headerValue(response.headers, 'x-gw-cost')).toBe('0.0037');
    const unasked = await ask(openai, { upstream: answering, prices, usage: true });
    expect(unasked.records).toEqual([{ ...record, cost: { nanoUsd: 3_700_000, prices: 'gateway file' } }]);
    expect(headerValue(unasked.response.headers, 'x-gw-usage')).toBeUndefined();
    const unpriced = await ask(openai, { upstream: answering }, { overrides: asking });
    expect(headerValue(unpriced.response.headers, 'x-gw-cost')).toBeUndefined();
  });

  it('is priced by list prices, under the name that the lists use for the provider', async () => {
    const config = { provider: 'mistral-ai', api_key: '${env:KEY}' };
    const upstream: StubHandler = () => stubAnswer(openaiAnswer({ text: 'Oui.', model: 'mistral-large-latest' }));
    const prices = createPrices();
    // Virtual time would pass while the prices are loaded.
    await prices.ready();
    const { records } = await ask(config, { upstream, prices, usage: true });
    expect(records[0]?.cost).toMatchObject({ prices: 'genai-prices' });
  });

  it('is read in the dialect of its provider', async () => {
    const upstream: StubHandler = () =>
      stubAnswer({
        id: 'a',
        type: 'message',
        role: 'assistant',
        model: 'claude-1',
        content: [{ type: 'text', text: 'oui' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 5, cache_creation_input_tokens: 7, output_tokens: 2 },
      });
    const { records, response } = await ask(
      { provider: 'anthropic', api_key: '${env:KEY}' },
      { upstream },
      { overrides: asking },
    );
    const used = {
      kind: 'reported',
      model: 'claude-1',
      input: { total: 12, cacheWrite: { '5m': 7 } },
      output: { total: 2 },
    };
    expect(records).toEqual([used]);
    expect(JSON.parse(headerValue(response.headers, 'x-gw-usage') ?? '')).toEqual(used);
  });

  it('of embeddings or of text completions is read too', async () => {
    const embedded = await ask(
      openai,
      {
        upstream: () =>
          stubAnswer({ object: 'list', data: [], model: 'embed-1', usage: { prompt_tokens: 8, total_tokens: 8 } }),
        usage: true,
      },
      { params: { model: 'embed', input: 'hi' }, route: { operation: 'embed', dialect: 'embeddings' } },
    );
    expect(embedded.records).toEqual([
      { kind: 'reported', model: 'embed-1', input: { total: 8 }, output: { total: 0 } },
    ]);
    const translated = await ask(
      { provider: 'cohere', api_key: '${env:KEY}' },
      {
        upstream: () => stubAnswer({ embeddings: { float: [[0.5]] }, meta: { billed_units: { input_tokens: 3 } } }),
        usage: true,
      },
      { params: { model: 'embed', input: 'hi' }, route: { operation: 'embed', dialect: 'embeddings' } },
    );
    expect(translated.records).toEqual([
      { kind: 'reported', model: 'embed', input: { total: 3 }, output: { total: 0 } },
    ]);
    const completed = await ask(
      openai,
      { upstream: () => stubAnswer(completionAnswer('there was a bridge.')), usage: true },
      { params: { model: 'm', prompt: 'Once' }, route: { operation: 'complete', dialect: 'completions' } },
    );
    expect(completed.records).toEqual([
      { kind: 'reported', model: 'gpt-3.5-turbo-instruct', input: { total: 5 }, output: { total: 7 } },
    ]);
  });

  it('of the echo provider is recorded with its own usage, streamed or not', async () => {
    const echo = { provider: 'echo' };
    const { records } = await ask(echo, { upstream: hanging, usage: true });
    expect(records).toEqual([{ kind: 'reported', model: 'gpt-4o-mini', input: { total: 3 }, output: { total: 3 } }]);
    const world = runConfig(echo, { upstream: hanging, usage: true });
    const exchange = sampleExchange({ ...question, stream: true });
    const { body } = await world.handle(exchange);
    await world.clock.settle(
      new Promise<void>((resolve) => {
        if (body.kind === 'bytes') return resolve();
        body.onEnd(() => resolve());
        body.start({ write: () => true, onDrain: () => {}, end: () => {}, fail: () => {} });
      }),
    );
    expect(toRecords(exchange)).toEqual(records);
  });

  it('without usage is estimated from the texts of the request and the answer, but not from data', async () => {
    const data = 'A'.repeat(4000);
    const parts = [
      { type: 'text', text: 'Look at this.' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
      { type: 'input_audio', input_audio: { data, format: 'wav' } },
    ];
    const { usage: _, ...silent } = openaiAnswer({ text: 'A black square.' }) as JsonObject;
    const { records } = await ask(
      openai,
      { upstream: () => stubAnswer(silent), usage: true },
      { params: { messages: [{ role: 'user', content: parts }] } },
    );
    // user, text, Look at this., image_url, input_audio, wav.
    const input = Math.ceil((4 + 4 + 13 + 9 + 11 + 3) / 4);
    expect(records).toMatchObject([{ kind: 'estimated', input: { total: input }, output: { total: 4 } }]);
  });

  it('is estimated if it is cut or never arrives, but an error or a refused connection uses nothing', async () => {
    const cut: StubHandler = () => ({
      kind: 'answer',
      status: 200,
      headers: ['content-type', 'application/json'],
      body: new StubBody('{"id":', errorReport('connection-lost', { host: 'stub', reason: 'it was reset.' })),
    });
    const readKind = async (upstream: StubHandler): Promise<object | undefined> =>
      (await ask(openai, { upstream, usage: true })).records[0];
    expect(await readKind(cut)).toMatchObject({ kind: 'estimated', model: 'gpt-4o-mini', output: { total: 0 } });
    const nothing = { kind: 'none', model: 'gpt-4o-mini', input: { total: 0 }, output: { total: 0 } };
    expect(await readKind(() => stubAnswer({ error: { message: 'no' } }, { status: 429 }))).toEqual(nothing);
    const refused = errorReport('connection-failed', { host: 'stub', reason: 'it was refused.' });
    expect(await readKind(() => ({ kind: 'failure', error: refused }))).toEqual(nothing);
    expect(await readKind(hanging)).toMatchObject({ kind: 'estimated', input: { total: 7 }, output: { total: 0 } });
  });

  it('to an unmodelled path is not recorded', async () => {
    const { records } = await ask(
      openai,
      { upstream: () => stubAnswer({ usage: { prompt_tokens: 9 } }), usage: true },
      { route: { operation: 'opaque' } },
    );
    expect(records).toEqual([]);
  });

  it('is passed on with an estimate if its dialect fails to read it', async () => {
    vi.spyOn(chat, 'usage').mockImplementation(() => {
      throw new Error('a fault of the dialect');
    });
    const { response, records } = await ask(openai, { upstream: answering, usage: true });
    expect([response.status, records[0]?.kind]).toEqual([200, 'estimated']);
  });

  it('reaches its client even if a tap fails', async () => {
    const plugin = definePlugin({
      name: 'failing',
      apply: (hooks) =>
        hooks.usageRecorded.tap('failing', () => {
          throw new Error('no');
        }),
    });
    expect((await ask(openai, { upstream: answering, plugins: [plugin] })).response.status).toBe(200);
  });
});

type Outcome = 'answer' | 'error' | 'lost' | 'denied' | 'stream' | 'broken stream';

const streamType = ['content-type', 'text/event-stream'];

const outcomes: Readonly<Record<Outcome, () => UpstreamAnswer>> = {
  answer: () => stubAnswer(openaiAnswer({ text: 'fine' })),
  error: () => stubAnswer({ error: { message: 'no' } }, { status: 500 }),
  lost: () => ({ kind: 'failure', error: errorReport('connection-lost', { host: 'stub', reason: 'it was reset.' }) }),
  denied: () => stubAnswer(openaiAnswer({ text: 'a forbidden word' })),
  stream: () => stubAnswer(openaiStream({ text: 'fine' }, { withUsage: true }).join(''), { headers: streamType }),
  'broken stream': () => stubAnswer(openaiStream({ text: 'fine' }).slice(0, 1).join(''), { headers: streamType }),
};

const used: Readonly<Record<Outcome, UsageRecord['kind']>> = {
  answer: 'reported',
  error: 'none',
  lost: 'estimated',
  denied: 'reported',
  stream: 'reported',
  'broken stream': 'estimated',
};

describe('every attempt', () => {
  const guarded = {
    ...openai,
    retry: { attempts: 1, on_status_codes: [446, 500, 502] },
    output_guardrails: [{ 'default.contains': { words: ['forbidden'], operator: 'none' }, deny: true }],
  };

  it('is settled exactly once, directly after it was made, through retries, fallbacks and denials', async () => {
    const anyOutcome = fc.constantFrom<Outcome>('answer', 'error', 'lost', 'denied');
    const anyStreamed = fc.constantFrom<Outcome>('stream', 'error', 'lost', 'broken stream');
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(anyOutcome, { minLength: 4, maxLength: 4 }),
        fc.array(anyStreamed, { minLength: 4, maxLength: 4 }),
        async (stream, whole, streamed) => {
          const script = stream ? streamed : whole;
          const { retry, ...plain } = guarded;
          const target = stream ? { ...openai, retry } : { ...plain, retry };
          const config = { strategy: { mode: 'fallback' }, targets: [target, target] };
          let calls = 0;
          const upstream: StubHandler = () => {
            const outcome = script[calls] ?? 'answer';
            calls += 1;
            return outcomes[outcome]();
          };
          const { exchange, response } = await ask(
            config,
            { upstream, usage: true },
            { params: { ...question, stream } },
          );
          if (response.body.kind === 'stream')
            response.body.start({ write: () => true, onDrain: () => {}, end: () => {}, fail: () => {} });
          const events = exchange.trail.filter(({ kind }) => kind === 'attempted' || kind === 'settled');
          expect(events.map(({ kind }) => kind)).toEqual(
            script.slice(0, calls).flatMap(() => ['attempted', 'settled']),
          );
          for (let at = 0; at < events.length; at += 2) {
            const [attempted, settled] = [events[at], events[at + 1]];
            if (attempted?.kind !== 'attempted' || settled?.kind !== 'settled') return expect.unreachable();
            const { path, target: id, attempt } = attempted;
            expect(settled).toMatchObject({ path, target: id, attempt });
          }
          expect(toRecords(exchange).map(({ kind }) => kind)).toEqual(
            script.slice(0, calls).map((outcome) => used[outcome]),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is recorded, and the headers report the usage of the one that answered', async () => {
    let calls = 0;
    const upstream: StubHandler = () => {
      calls += 1;
      return calls === 1 ? outcomes.error() : outcomes.answer();
    };
    const { response, records } = await ask({ ...openai, retry: { attempts: 1 } }, { upstream }, { overrides: asking });
    expect(records.map(({ kind }) => kind)).toEqual(['none', 'reported']);
    const names = response.headers.filter((name, at) => at % 2 === 0 && name === 'x-gw-usage');
    expect([names.length, JSON.parse(headerValue(response.headers, 'x-gw-usage') ?? '')]).toEqual([1, record]);
  });
});
