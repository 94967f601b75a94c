import pg from 'pg';
import { openLogStore } from '../../../plugins/control/logs/writer/open-log-store.ts';
import { dayMs } from '../../../schema/durations.ts';
import { startBrowser } from '../../e2e/console/support/browser.ts';
import { listPages } from '../../e2e/console/support/list-pages.ts';
import { markdownTable, number } from '../harness/figures.ts';
import { median } from '../harness/measure.ts';
import { chatRequest } from '../harness/payloads.ts';
import { fillLog } from '../store/log-records.ts';
import { type ConsoleOptions, print } from './options.ts';
import { noteChanges, openSettled, type Settled } from './settled.ts';
import { type StartedConsole, servedConfig, startConsole } from './started-console.ts';

const rounds = 3;
const days = 30;
/** The number of calls printed for a page, slowest first. */
const shownCalls = 4;

interface FirstRecord {
  readonly id: string;
  readonly workspace_id: string;
  readonly organisation_id: string;
}

/** Sends one request, and returns its record, which contains its workspace and organisation. */
const sendOne = async ({ client, key }: StartedConsole): Promise<FirstRecord> => {
  const headers = { 'x-gw-config': servedConfig };
  await client.made('POST /chat/completions', { key, headers, body: JSON.parse(chatRequest()) });
  for (;;) {
    const { data } = await client.made('GET /logs?limit=1');
    if (data.length > 0) return data[0];
  }
};

/**
 * Updates PostgreSQL's table statistics, on which its plans depend. Autovacuum only checks once a minute, and filling might take
 * less.
 */
const analyze = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
};

const fill = async ({ store }: StartedConsole, records: number, first: FirstRecord): Promise<void> => {
  const log = await openLogStore(store.startsWith('postgres') ? `${store}?statement_timeout=0` : store);
  try {
    await fillLog(log, {
      ...{ records, start: Date.now() - days * dayMs, step: (days * dayMs) / records, labels: [] },
      ...{ workspaces: [first.workspace_id], organisation: first.organisation_id },
    });
  } finally {
    await log.close();
  }
  if (store.startsWith('postgres')) await analyze(store);
};

const shortest = (url: string): string => {
  const { pathname, search } = new URL(url);
  return `\`${pathname.replace(/^\/v1/, '')}${search.length > 60 ? `${search.slice(0, 60)}…` : search}\``;
};

const toCalls = (settled: readonly Settled[]): string => {
  const times = new Map<string, number[]>();
  for (const { url, ms } of settled.flatMap(({ calls }) => calls)) {
    const name = shortest(url.replaceAll(/\d{10,}/g, '…'));
    times.set(name, [...(times.get(name) ?? []), ms]);
  }
  return [...times]
    .map(([name, all]) => ({ name, ms: median(all) }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, shownCalls)
    .map(({ name, ms }) => `${name} ${number(ms, 0)}`)
    .join(', ');
};

/**
 * Fills the log and opens every page of the console. Prints how long each page takes to show its content, and its slowest calls.
 */
export const measurePages = async (options: ConsoleOptions): Promise<void> => {
  const started = await startConsole(options);
  const browser = await startBrowser();
  try {
    const { origin } = started;
    const first = await sendOne(started);
    const begun = performance.now();
    await started.whileStopped(() => fill(started, options.records, first));
    print(
      `\n${options.records} records of ${days} days on ${options.store}, written in ${number((performance.now() - begun) / 1000, 0)} s\n\n`,
    );
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.addInitScript({ content: noteChanges });
    await started.signIn(context);
    const page = await context.newPage();
    const rows: string[][] = [];
    for (const { title, path } of await listPages()) {
      const url = `${origin}/console${path.replace(':slug', servedConfig).replace(':id', first.id)}`;
      const settled: Settled[] = [];
      for (let round = 0; round < rounds; round += 1) settled.push(await openSettled(page, url));
      const [cold, ...warm] = settled.map(({ ms }) => ms);
      rows.push([title, number(cold ?? Number.NaN, 0), number(median(warm), 0), toCalls(settled)]);
    }
    print(markdownTable(['page', 'first, ms', 'again, ms', 'slowest calls, ms'], rows));
  } finally {
    await browser.close();
    await started.stop();
  }
};
