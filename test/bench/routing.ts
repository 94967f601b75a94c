/**
 * `npm run bench:routing`: what ways to choose do on a model of three providers, of which one slows, one limits and one fails,
 * and what keeping conversations at a target does for the caches of four. Virtual time: every run has the same figures.
 * `--requests=6000 --conversations=5000`
 */
import { parseArgs } from 'node:util';
import type { Prices } from '../../runtime/ports/prices.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { markdownTable } from './figures.ts';
import { cachedShare } from './model/conversations.ts';
import { threeProviders, tokens } from './model/modelled-providers.ts';
import { runModel } from './model/modelled-run.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '6000' },
    conversations: { type: 'string', default: '5000' },
  },
});

/** Three providers could answer about 14 a second without faults; ten minutes of it. */
const perSecond = 10;

const balances = ['weight', 'latency', 'least-busy', 'headroom', 'price'] as const;

interface Row {
  readonly p50: number;
  readonly p95: number;
  readonly refused: number;
  readonly cost: number;
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const rowOf = async (balance: string, more: JsonObject): Promise<Row> => {
  const providers = threeProviders();
  const counts = new Map<string, number>();
  let cost = 0;
  const dollarsOf = (price: number): number => ((tokens.input + tokens.output) * price) / 1e6;
  const prices: Prices = {
    ready: () => undefined,
    cost: (_, { model }) => {
      const price = providers.find((provider) => provider.model === model)?.price;
      return price === undefined ? undefined : { nanoUsd: Math.round(dollarsOf(price) * 1e9), prices: 'of the model' };
    },
  };
  const target = (model: string): JsonObject => ({
    ...{
      provider: 'openai',
      api_key: '${env:KEY}',
      custom_host: `https://${model}.example/v1`,
      override_params: { model },
    },
  });
  const requests = await runModel({
    config: {
      strategy: { mode: 'loadbalance', ...(balance === 'weight' ? {} : { balance }) },
      ...more,
      targets: providers.map(({ model }) => target(model)),
    },
    traffic: {
      ...{ requests: Number(values.requests), perSecond },
      body: () => ({ model: 'm', messages: [{ role: 'user', content: 'Is it so?' }] }),
    },
    prices,
    answerAt: ({ origin }, now) => {
      const [model = ''] = new URL(origin).hostname.split('.');
      const provider = providers.find((each) => each.model === model);
      if (provider === undefined) throw new Error(`Nobody is at ${origin}.`);
      const nth = (counts.get(model) ?? 0) + 1;
      counts.set(model, nth);
      const modelled = provider.answer(nth, now);
      if (modelled.answer.kind === 'answer' && modelled.answer.status === 200) cost += dollarsOf(provider.price);
      return modelled;
    },
  });
  const good = requests.filter(({ status }) => status === 200);
  const times = good.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other);
  return {
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    refused: 1 - good.length / requests.length,
    cost: (cost / good.length) * 1000,
  };
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

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
/** Chats have as many turns as those of public logs: 2.5 in the mean. */
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
