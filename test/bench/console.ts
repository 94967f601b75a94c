/**
 * `npm run bench:console`: the cost of the console for the browser and the gateway, in Debian's Chromium.
 * `--only=live,pages,first,lighthouse` (all of them if absent), `--minutes=10 --rate=200` for the live view, `--records=1000000
 * --store=sqlite|postgres` for the pages. Linux only: it reads /proc.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { hasBrowser } from '../e2e/console/support/browser.ts';
import { measureFirstPage } from './console/first-page.ts';
import { measureLighthouse } from './console/lighthouse.ts';
import { measureLive } from './console/live.ts';
import type { ConsoleOptions } from './console/options.ts';
import { measurePages } from './console/pages.ts';
import { buildGateway } from './harness/built-gateway.ts';

const parts: Readonly<Record<string, (options: ConsoleOptions) => Promise<void>>> = {
  live: measureLive,
  pages: measurePages,
  first: measureFirstPage,
  lighthouse: measureLighthouse,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(parts).join(',') },
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '200' },
    records: { type: 'string', default: '1000000' },
    store: { type: 'string', default: 'sqlite' },
  },
});
const { store } = values;
const [minutes, rate, records] = [Number(values.minutes), Number(values.rate), Number(values.records)];
const chosen = values.only.split(',');
const unknown = chosen.find((name) => parts[name] === undefined);
if (unknown !== undefined) throw new Error(`There is no part "${unknown}": --only=${Object.keys(parts).join(',')}`);
if (!(minutes > 0 && rate > 0 && records > 0)) throw new Error('--minutes, --rate and --records are numbers above 0.');
if (store !== 'sqlite' && store !== 'postgres') throw new Error('--store is sqlite or postgres.');
if (!hasBrowser) throw new Error('There is no Chromium: apt-get install -y --no-install-recommends chromium');

const first = Number(process.env.BENCH_PORT ?? 19_700);
const gateway = await buildGateway();
try {
  const ports = { upstream: first, receiver: first + 1, first: first + 10 };
  for (const name of chosen) await parts[name]?.({ minutes, rate, records, store, gateway, ports });
} finally {
  rmSync(path.dirname(gateway), { recursive: true, force: true });
}
