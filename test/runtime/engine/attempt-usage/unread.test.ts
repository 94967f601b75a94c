import { afterEach, describe, expect, it, vi } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { UnreadAnswer } from '../../../../plugins/sdk/hooks/unread-answer.ts';
import { definePlugin, type Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { createAnswerReader } from '../../../../runtime/usage/answer-reader.ts';
import { createPrices } from '../../../../runtime/usage/prices/create-prices.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import { createCountingLimiter } from '../../../support/in-process/counting-limiter.ts';
import { type ConfigWorld, runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { type StubHandler, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const question = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'What is up?' }] };
const answering: StubHandler = () => stubAnswer(openaiAnswer({ text: 'The sky.' }));
const own = { openai: { 'gpt-4o-mini-2024-07-18': { input: 100, output: 200 } } };

/** Records what a plugin gets that consumes usage and can read answers in the dialect `chat`. */
const reader = () => {
  const received: (UnreadAnswer | UsageRecord)[] = [];
  const models: (string | undefined)[] = [];
  const plugin = definePlugin({
    name: 'reader',
    apply: (hooks) => {
      hooks.usageRecorded.tap('reader', ({ usage }) => void received.push(usage));
      hooks.deferredUsage.for('chat').tap('reader', (answer) => void received.push(answer));
      hooks.completed.tap('reader', () => {});
    },
  });
  const asking = definePlugin({
    name: 'asking',
    apply: (hooks) => hooks.attempting.tap('asking', (start) => void models.push(start.model)),
  });
  return { received, models, plugin, asking };
};

interface AskOptions {
  readonly config?: JsonObject;
  readonly world?: Partial<ConfigWorld>;
  readonly params?: JsonObject;
  readonly given?: Partial<Exchange>;
  readonly plugins?: readonly Plugin[];
}

const ask = async ({ config = openai, world = {}, params = question, given = {}, plugins = [] }: AskOptions = {}) => {
  const { received, plugin } = reader();
  const exchange = sampleExchange(params, given);
  const { handle } = runConfig(config, { upstream: answering, ...world, plugins: [plugin, ...plugins] });
  const { body } = await handle(exchange);
  if (body.kind === 'stream') body.discard();
  return { received, exchange };
};

afterEach(() => vi.restoreAllMocks());

describe('a small answer', () => {
  it('is passed to the plugins that read it, with its request, and is not read here', async () => {
    const reads = [vi.spyOn(chat, 'usage'), vi.spyOn(chat, 'answeredBy')];
    const { received, exchange } = await ask();
    expect(received).toEqual([
      {
        path: '',
        target: 'openai',
        attempt: 1,
        dialect: 'chat',
        listedAs: 'openai',
        request: Buffer.from(JSON.stringify(question)),
        answer: Buffer.from(JSON.stringify(openaiAnswer({ text: 'The sky.' }))),
      },
    ]);
    for (const read of reads) expect(read).not.toHaveBeenCalled();
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['attempted']);
  });

  it('yields the usage, the cost and the model that are read when it is served', async () => {
    const { received } = await ask();
    const [unread] = received;
    if (unread === undefined || !('answer' in unread)) throw new Error('The answer was read.');
    const { usage, finishReasons, askedModel } = createAnswerReader(own).read(chat, {
      ...unread,
      provider: 'openai',
      at: 0,
    });
    const prices = createPrices(own);
    // Virtual time would pass while the prices are loaded.
    await prices.ready();
    const served = await ask({ world: { usage: true, prices } });
    expect([usage]).toEqual(served.received);
    expect(usage.cost).toEqual({ nanoUsd: 3_900_000, prices: 'gateway file' });
    expect([finishReasons, askedModel]).toEqual([['stop'], 'gpt-4o-mini']);
  });

  it('leaves the model of its request available to a plugin that asks for it', async () => {
    const { models, plugin, asking } = reader();
    const { handle } = runConfig(openai, { upstream: answering, plugins: [plugin, asking] });
    await handle(sampleExchange(question));
    expect(models).toEqual(['gpt-4o-mini']);
  });
});

describe('an answer is read here', () => {
  const settling = definePlugin({ name: 'other', apply: (hooks) => hooks.usageRecorded.tap('other', () => {}) });
  it.each<[string, AskOptions]>([
    ['for a plugin that cannot read it', { plugins: [settling] }],
    ['for the trail', { world: { usage: true } }],
    ['for a caller who requests its usage', { given: { overrides: { usage: true } } }],
    ['for limits', { world: { limiter: createCountingLimiter() } }],
    ['if the request is edited', { config: { ...openai, override_params: { model: 'gpt-4o' } } }],
    ['if the request may ask for a stream', { params: { ...question, stream: false } }],
    ['if the request is long', { params: { ...question, user: 'x'.repeat(17_000) } }],
    ['if it is long', { world: { upstream: () => stubAnswer(openaiAnswer({ text: 'x'.repeat(17_000) })) } }],
  ])('%s', async (_name, options) => {
    const { received } = await ask(options);
    expect(received).toEqual([
      expect.objectContaining({ kind: 'reported', input: expect.objectContaining({ total: 21 }) }),
    ]);
  });

  it('if it is an error or is translated', async () => {
    const failing: StubHandler = () => stubAnswer({ error: { message: 'no' } }, { status: 500 });
    const { received } = await ask({ world: { upstream: failing } });
    expect(received).toEqual([{ kind: 'none', model: 'gpt-4o-mini', input: { total: 0 }, output: { total: 0 } }]);
    const translated = await ask({ config: { provider: 'anthropic', api_key: '${env:KEY}' } });
    expect(translated.received).toEqual([expect.objectContaining({ kind: expect.any(String) })]);
  });
});
