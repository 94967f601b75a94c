/**
 * `npm run bench:hedging`: how much a hedge improves the slowest answers of a provider that is slow for a few per cent of the
 * requests, and how many additional calls it makes. It runs in virtual time, so every run has the same figures.
 * `--requests=20000`
 */
import { parseArgs } from 'node:util';
import type { JsonObject } from '../../schema/json/json.ts';
import { markdownTable, percent, quantile } from './harness/figures.ts';
import { AskedProviders, question } from './model/asked-providers.ts';
import { sometimesSlow } from './model/modelled-providers.ts';
import { runModel } from './model/modelled-run.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '20000' } } });
const requests = Number(values.requests);

const slowShares = [0.02, 0.05] as const;
/** Approximately the 95th percentile of the answers that are not slow. */
const afterMs = 1000;
const hedges: readonly (JsonObject | undefined)[] = [
  undefined,
  ...[5, 10, 20].map((budget) => ({ after_ms: afterMs, budget_percent: budget })),
];

const rowOf = async (slow: number, hedge: JsonObject | undefined): Promise<readonly string[]> => {
  const asked = new AskedProviders(sometimesSlow(slow));
  const seen = await runModel({
    config: { strategy: { mode: 'fallback', ...(hedge === undefined ? {} : { hedge }) }, targets: asked.targets },
    traffic: { requests, perSecond: 20, body: () => question },
    answerAt: asked.answerAt,
  });
  const times = seen.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other);
  return [
    hedge === undefined ? 'none' : `${String(hedge.budget_percent)} %`,
    ...[0.5, 0.95, 0.99].map((share) => quantile(times, share).toFixed(0)),
    percent(asked.count('second') / requests),
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
