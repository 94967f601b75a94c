/**
 * `npm run bench:routing`: how ways to choose a target perform on a model of three providers, of which one slows down, one limits
 * requests and one fails, and how keeping conversations at one target improves the use of the caches of four targets. It runs in
 * virtual time, so every run has the same figures. `--requests=6000 --conversations=5000`
 */
import { parseArgs } from 'node:util';
import type { Prices } from '../../runtime/ports/prices.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { markdownTable, percent, quantile } from './harness/figures.ts';
import { AskedProviders, question } from './model/asked-providers.ts';
import { cachedShare } from './model/conversations.ts';
import { threeProviders, tokens } from './model/modelled-providers.ts';
import { runModel } from './model/modelled-run.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '6000' },
    conversations: { type: 'string', default: '5000' },
  },
});

/** The requests last for ten minutes. Without faults, the three providers could answer about 14 a second. */
const perSecond = 10;

const balances = ['weight', 'latency', 'least-busy', 'headroom', 'price'] as const;

interface Row {
  readonly p50: number;
  readonly p95: number;
  readonly refused: number;
  readonly cost: number;
}

const rowOf = async (balance: string, more: JsonObject): Promise<Row> => {
  const providers = threeProviders();
  const asked = new AskedProviders(providers);
  const dollarsOf = (price: number): number => ((tokens.input + tokens.output) * price) / 1e6;
  const prices: Prices = {
    ready: () => undefined,
    cost: (_, { model }) => {
      const price = providers.find((provider) => provider.model === model)?.price;
      return price === undefined ? undefined : { nanoUsd: Math.round(dollarsOf(price) * 1e9), prices: 'of the model' };
    },
  };
  const requests = await runModel({
    config: {
      strategy: { mode: 'loadbalance', ...(balance === 'weight' ? {} : { balance }) },
      ...more,
      targets: asked.targets,
    },
    traffic: { requests: Number(values.requests), perSecond, body: () => question },
    prices,
    answerAt: asked.answerAt,
  });
  const good = requests.filter(({ status }) => status === 200);
  const cost = providers.reduce((sum, { model, price }) => sum + asked.answered(model) * dollarsOf(price), 0);
  const times = good.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other);
  return {
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    refused: 1 - good.length / requests.length,
    cost: (cost / good.length) * 1000,
  };
};

const circuit = { cb_config: { failure_threshold: 5, cooldown_interval: 30_000, failure_status_codes: [429, 503] } };

for (const [title, more] of [
  ['without circuits', {}],
  ['with circuits', circuit],
] as const) {
  const rows: (readonly string[])[] = [];
  for (const balance of balances) {
    const { p50, p95, refused, cost } = await rowOf(balance, more);
    rows.push([`\`${balance}\``, p50.toFixed(0), p95.toFixed(0), percent(refused), cost.toFixed(2)]);
  }
  process.stdout.write(
    `${title}\n\n${markdownTable(['balance', 'p50, ms', 'p95, ms', 'refused', 'USD for 1,000 answers'], rows)}\n`,
  );
}

const ways: readonly (readonly [string, JsonObject])[] = [
  ['by weight', {}],
  ['sticky by `metadata.session`', { sticky: { by: 'metadata.session', ttl_s: 3600 } }],
  ['sticky by `prompt-prefix`', { sticky: { by: 'prompt-prefix', ttl_s: 3600 } }],
];
/** Chats have a mean of 2.5 turns, as in public logs. */
const kinds = [
  { title: 'chats, a turn each 90 s', conversing: { turns: 2.5, turnEveryS: 90 } },
  { title: 'chats, a turn each 4 min', conversing: { turns: 2.5, turnEveryS: 240 } },
  { title: 'agents, 20 turns, one each 10 s', conversing: { turns: 20, turnEveryS: 10 } },
] as const;
const kept: (readonly string[])[] = [];
for (const [name, strategy] of ways) {
  const shares: string[] = [];
  for (const conversing of kinds.map(({ conversing }) => conversing))
    shares.push(percent(await cachedShare({ strategy, conversations: Number(values.conversations), ...conversing })));
  kept.push([name, ...shares]);
}
process.stdout.write(markdownTable(['read from a cache, of four targets', ...kinds.map(({ title }) => title)], kept));
