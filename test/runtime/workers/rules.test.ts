import { describe, expect, it } from 'vitest';
import type { ReadyFacts } from '../../../runtime/status-pages/ready-facts.ts';
import { commitFiles, noFiles } from '../../../runtime/workers/committed-files.ts';
import { Leads } from '../../../runtime/workers/leads.ts';
import { mergeReadiness } from '../../../runtime/workers/owner-process/merge-readiness.ts';
import { OncePrinted } from '../../../runtime/workers/owner-process/once-printed.ts';
import { PrintedByAll } from '../../../runtime/workers/owner-process/printed-by-all.ts';
import { RestartDelays } from '../../../runtime/workers/owner-process/restart-delays.ts';

describe('restarts of crashed workers', () => {
  it('are delayed after five in ten seconds, twice as long each time, until workers run again', () => {
    const delays = new RestartDelays();
    const wait = (at: number): number => delays.crashed(at).ms;
    expect([0, 1000, 2000, 3000].map(wait)).toEqual([0, 0, 0, 0]);
    expect(delays.crashed(4000)).toEqual({ ms: 1000, begins: true });
    expect(delays.crashed(6000)).toEqual({ ms: 2000, begins: false });
    expect([9000, 14_000, 23_000, 40_000, 71_000].map(wait)).toEqual([4000, 8000, 16_000, 30_000, 30_000]);
    expect(delays.isDelaying(100_000)).toBe(true);
    expect(delays.isDelaying(140_000)).toBe(false);
    expect(wait(140_000)).toBe(0);
  });

  it('are not delayed if they are far apart', () => {
    const delays = new RestartDelays();
    for (let at = 0; at < 100_000; at += 2501) expect(delays.crashed(at).ms).toBe(0);
  });
});

describe('a text that each worker prints', () => {
  it('is printed as often as by the worker that printed it most', () => {
    const printed = new OncePrinted();
    const asked = [1, 2, 2, 1, 3, 3, 3].map((worker) => printed.isNew(worker, 'text'));
    expect(asked).toEqual([true, false, true, false, false, false, true]);
    printed.forget(3);
    expect(printed.isNew(3, 'text')).toBe(false);
    expect(printed.isNew(3, 'another')).toBe(true);
  });
});

describe('a text that is printed when all workers have reached a state', () => {
  const asks = (printed: PrintedByAll, asked: readonly (readonly [worker: number, state: string])[]) =>
    asked.map(([worker, state]) => printed.isDue(worker, { text: 'text', state }, [1, 2, 3]));

  it('is due with the last worker, separately for each state', () => {
    const printed = new PrintedByAll();
    expect(
      asks(printed, [
        [2, 'a'],
        [1, 'a'],
        [1, 'a'],
        [3, 'a'],
      ]),
    ).toEqual([false, false, false, true]);
    expect(
      asks(printed, [
        [1, 'b'],
        [3, 'b'],
        [2, 'b'],
        [2, 'b'],
      ]),
    ).toEqual([false, false, true, false]);
  });

  it('is due if one worker has gone past a state that the others have reached', () => {
    expect(
      asks(new PrintedByAll(), [
        [1, 'a'],
        [1, 'b'],
        [2, 'b'],
        [3, 'a'],
        [3, 'b'],
      ]),
    ).toEqual([...[false, false, false, false, true]]);
  });

  it('waits for no worker that has ended or that started later', () => {
    const printed = new PrintedByAll();
    expect(
      asks(printed, [
        [1, 'a'],
        [2, 'a'],
      ]),
    ).toEqual([false, false]);
    expect(printed.forget(3, [1, 2, 4])).toEqual(['text']);
    expect(printed.forget(2, [1, 4])).toEqual([]);
  });
});

describe('the lead for an answer', () => {
  it('belongs to one worker until it releases the lead or ends', async () => {
    const leads = new Leads();
    expect([leads.take(1, 'a'), leads.take(2, 'a'), leads.take(1, 'a')]).toEqual([true, false, false]);
    leads.end(2, 'a');
    expect(leads.take(2, 'a')).toBe(false);
    const over = leads.over('a');
    leads.leave(1);
    await over;
    await leads.over('nobody leads');
    expect(leads.take(2, 'a')).toBe(true);
  });
});

describe('the files that workers serve', () => {
  const source = (name: string, text: string) => ({ name, file: `/configs/${name}.json`, text });

  it('are the new ones, or the previous ones if the new ones are refused', () => {
    const first = commitFiles(noFiles, [source('a', '1'), source('b', '1')], new Set());
    const current = [source('a', '2'), source('b', '2')];
    const next = commitFiles(first, current, new Set(['/configs/b.json']));
    expect(next.good).toEqual([source('a', '2'), source('b', '1')]);
    expect(next.current).toEqual(current);
    const unreadable = { name: 'a', file: '/configs/a.json', unreadable: 'No.' };
    expect(commitFiles(next, [unreadable], new Set(['/configs/a.json'])).good).toEqual([source('a', '2')]);
  });
});

describe('the readiness page of several workers', () => {
  const facts = (more: Partial<ReadyFacts> = {}): ReadyFacts => ({
    ...{ status: 'ready', generation: 2, plans: [], refused: [], restart: [], closing: [] },
    ...more,
  });
  const workers = { wanted: 2, serving: 2, crashed: 0 };
  const rest = { restart: [], isDraining: false, workers };

  it('has the worst status of them', () => {
    const merged = mergeReadiness(
      [
        { facts: facts({ closing: [{ generation: 1, running: 2 }] }), behind: 1 },
        {
          facts: facts({
            status: 'not-ready',
            generation: 3,
            reason: 'Why.',
            closing: [{ generation: 2, running: 1 }],
          }),
          behind: 0,
        },
      ],
      rest,
    );
    expect(merged).toMatchObject({ status: 'not-ready', reason: 'Why.', generation: 3, workers });
    expect(merged.closing).toEqual([{ generation: 2, running: 3 }]);
  });

  it.each([
    [
      'fewer workers serve than are configured',
      { workers: { ...workers, serving: 1, reason: '1 of 2 workers serve.' } },
    ],
    ['the plans on disk are not served', { reason: '1 of 2 workers serve.' }],
  ])('is degraded if %s', (_, more) => {
    const merged = mergeReadiness([{ facts: facts(), behind: 0 }], { ...rest, ...more });
    expect(merged).toMatchObject({ status: 'degraded', reason: '1 of 2 workers serve.' });
  });

  it('has the total losses of their logs, and the status of the sinks of their owner', () => {
    const of = (status: 'ready' | 'away', log: { waiting: number; dropped: number }) => ({
      facts: facts({
        store: { status: 'ready', feeds: {}, confirmed_at: 1, log: { status, ...log } },
      }),
      behind: 0,
    });
    const sink = {
      ...{ name: 'hook', sink: 'webhook', waiting: 1, delivered: 2, dropped: 3 },
      ...{ refused: 0, expired: 0, retries: 0 },
    };
    const both = [of('ready', { waiting: 1, dropped: 2 }), of('away', { waiting: 3, dropped: 4 })] as const;
    expect(mergeReadiness(both, { ...rest, owned: { sinks: [{ ...sink, failing: 'Why.' }] } }).store?.log).toEqual({
      ...{ status: 'away', waiting: 4, dropped: 6 },
      sinks: [{ ...sink, status: 'failing', reason: 'Why.' }],
    });
    expect(mergeReadiness(both, rest).store?.log).not.toHaveProperty('sinks');
  });

  it('is degraded if their owner cannot write the ledger', () => {
    const store = { status: 'ready', feeds: {}, confirmed_at: 1 } as const;
    const owned = { sinks: [], ledgerFailure: 'It is locked.' };
    expect(mergeReadiness([{ facts: facts({ store }), behind: 0 }], { ...rest, owned })).toMatchObject({
      status: 'degraded',
      reason: expect.stringMatching(/^The ledger of usage cannot be written\. It is locked\. /),
      store: { ...store, ledger_failure: 'It is locked.' },
    });
  });

  it('reports that the gateway drains, and lists once what each of them reports', () => {
    const said = { facts: facts({ restart: ['a'], refused: [{ file: 'f', reason: 'r' }] }), behind: 0 };
    const merged = mergeReadiness([said, said], { ...rest, restart: ['b'], isDraining: true });
    expect(merged).toMatchObject({ status: 'draining', restart: ['b', 'a'], refused: [{ file: 'f', reason: 'r' }] });
  });
});
