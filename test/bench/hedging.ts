/**
 * `npm run bench:hedging`: what a hedge does for the slowest answers of a provider that is slow for a few of a hundred requests, and
 * how many calls it makes beside. Virtual time: every run has the same figures. `--requests=20000`
 */
import { parseArgs } from 'node:util';
import type { JsonObject } from '../../schema/json/json.ts';
import { markdownTable } from './figures.ts';
import { sometimesSlow } from './model/modelled-providers.ts';
import { runModel } from './model/modelled-run.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '20000' } } });
const requests = Number(values.requests);

const slowShares = [0.02, 0.05] as const;
/** About what 95 of 100 answers that are not slow take. */
const afterMs = 1000;
const hedges: readonly (JsonObject | undefined)[] = [
  undefined,
  ...[5, 10, 20].map((budget) => ({ after_ms: afterMs, budget_percent: budget })),
];

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const rowOf = async (slow: number, hedge: JsonObject | undefined): Promise<readonly string[]> => {
  const providers = sometimesSlow(slow);
  const counts = new Map<string, number>();
  const seen = await runModel({
    config: {
      strategy: { mode: 'fallback', ...(hedge === undefined ? {} : { hedge }) },
      targets: providers.map(({ model }) => ({
        provider: 'openai',
        api_key: '${env:KEY}',
        custom_host: `https://${model}.example/v1`,
        override_params: { model },
      })),
    },
    traffic: {
      requests,
      perSecond: 20,
      body: () => ({ model: 'm', messages: [{ role: 'user', content: 'Is it so?' }] }),
    },
    answerAt: ({ origin }, now) => {
      const [model = ''] = new URL(origin).hostname.split('.');
      const nth = (counts.get(model) ?? 0) + 1;
      counts.set(model, nth);
      const provider = providers.find((each) => each.model === model);
      if (provider === undefined) throw new Error(`Nobody is at ${origin}.`);
      return provider.answer(nth, now);
    },
  });
  const times = seen.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other);
  const extra = (counts.get('second') ?? 0) / requests;
  return [
    hedge === undefined ? 'none' : `${String(hedge.budget_percent)} %`,
    ...[0.5, 0.95, 0.99].map((share) => quantile(times, share).toFixed(0)),
    `${(extra * 100).toFixed(1)} %`,
  ];
};

for (const slow of slowShares) {
  const rows: (readonly string[])[] = [];
  for (const hedge of hedges) rows.push(await rowOf(slow, hedge));
  const title = `${slow * 100} of 100 answers are eight times as slow, hedged after ${afterMs} ms`;
  process.stdout.write(
    `${title}\n\n${markdownTable(['budget', 'p50, ms', 'p95, ms', 'p99, ms', 'further calls'], rows)}\n`,
  );
}
