import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertNews } from '../../../plugins/alerts/alert-news.ts';
import { MergedHealth } from '../../../plugins/alerts/merged-health.ts';
import { openOwnerAlerts } from '../../../plugins/alerts/owner-alerts.ts';
import { ErrorRates } from '../../../plugins/alerts/sources/error-rates.ts';
import type { GatewayHealth } from '../../../plugins/alerts/sources/health.ts';
import { RequestCounter } from '../../../plugins/alerts/sources/request-counter.ts';
import type { LimitReached } from '../../../plugins/sdk/hooks/limit-reached.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { sampleExchange, toTenant } from '../../support/in-process/sample-exchange.ts';
import { samplePlan } from '../../support/plans/sample-plan.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const healthy: GatewayHealth = { refused: [], hashes: new Set(), unavailable: new Set(), dropped: {} };
const nothing: AlertNews = { reached: [], targets: [], counts: [], health: healthy, dropped: 0 };

const open = () => {
  const clock = createVirtualClock();
  const titles: string[] = [];
  const said: string[] = [];
  const alerts = openOwnerAlerts({
    settings: { to: [{ webhook: 'https://example.com/' }], every_s: 1 },
    http: {
      send: async ({ body }: { readonly body?: string | Uint8Array }) => {
        titles.push(JSON.parse(String(body)).data.title);
        return { status: 200, headers: [], body: new Uint8Array() };
      },
    } as never,
    read: (text) => text,
    clock,
    random: () => 0.5,
    newId: () => crypto.randomUUID(),
    closeMs: () => 0,
    own: () => ({ dropped: {}, unavailable: new Set() }),
    log: (text) => said.push(text),
  });
  const pass = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds; at += 1) {
      clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { clock, alerts, titles, said, pass };
};

const reached = (clock: { wall(): number }, more: Partial<LimitReached> = {}): LimitReached => ({
  ...{ kind: 'exhausted', policy: 'p', name: 'Budget', bucket: 'a', unit: 'tokens', used: 11, limit: 10 },
  ...{ organisation: 'o', workspace: 'w', at: clock.wall(), resetsAt: clock.wall() + 60_000 },
  ...more,
});

describe('alerts of several workers', () => {
  it('report a limit once per window, whichever workers see it', async () => {
    const { clock, alerts, titles, pass } = open();
    const first = reached(clock);
    for (const worker of [1, 2, 3]) alerts.receive(worker, { ...nothing, reached: [first] });
    await pass(10);
    expect(titles).toHaveLength(1);
    await pass(60);
    alerts.receive(2, { ...nothing, reached: [reached(clock)] });
    await pass(10);
    expect(titles).toHaveLength(2);
  });

  it('log how many events were dropped for lack of room', () => {
    const { alerts, said } = open();
    alerts.receive(4, { ...nothing, dropped: 7 });
    expect(said).toEqual(['7 events of worker 4 are in no alert: there were too many at once.']);
  });

  it('merge the health of all workers and keep the losses of those that have ended', () => {
    const health = new MergedHealth(() => ({
      dropped: { 'the output of the gateway': 3 },
      unavailable: new Set(['ledger']),
    }));
    const file = { file: 'a.json', reason: 'wrong' };
    health.set(1, { ...healthy, refused: [file], hashes: new Set(['x']), dropped: { log: 2 } });
    health.set(2, { ...healthy, refused: [file], hashes: new Set(['y']), unavailable: new Set(['store']) });
    health.leave(1);
    health.set(3, { ...healthy, missing: 'none', dropped: { log: 5 } });
    expect(health.read()).toEqual({
      refused: [file],
      missing: 'none',
      hashes: new Set(['y']),
      unavailable: new Set(['ledger', 'store']),
      dropped: { 'the output of the gateway': 3, log: 7 },
    });
  });

  it('evaluate the counts of several workers as if one process had counted', () => {
    const plan = { routing: samplePlan(), label: 'sample@1' };
    const request = fc.record({
      worker: fc.nat(2),
      tenant: fc.constantFrom('a', 'b'),
      status: fc.constantFrom(200, 500),
      target: fc.constantFrom(undefined, 'main', 'other'),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 60 }), (requests) => {
        const clock = createVirtualClock();
        const judge = () => {
          const titles: string[] = [];
          const rates = new ErrorRates({
            ...{ percent: 20, windowS: 100, atLeast: 5, now: clock.monotonic, source: 'gw' },
            note: ({ title }) => titles.push(title),
          });
          return { rates, titles };
        };
        const [one, several] = [judge(), judge()];
        const workers = [new RequestCounter(), new RequestCounter(), new RequestCounter()];
        for (const { worker, tenant, status, target } of requests) {
          const exchange = sampleExchange({}, { plan, principal: { tenant: toTenant(tenant) } });
          for (const counts of [one.rates, workers[worker]])
            if (target === undefined) counts?.completed({ status, origin: 'upstream' }, exchange, 'complete');
            else counts?.attempted({ target, status, origin: 'upstream' }, exchange);
        }
        for (const worker of workers) for (const counts of worker.take().counts) several.rates.add(counts);
        one.rates.look();
        several.rates.look();
        expect(several.titles.toSorted()).toEqual(one.titles.toSorted());
      }),
      lawRuns,
    );
  });

  it('count a limited number of configs and targets, and the number they dropped', () => {
    const counter = new RequestCounter();
    for (let at = 0; at < 2100; at += 1) {
      const plan = { routing: { ...samplePlan(), name: `plan-${at}` }, label: 'x' };
      const exchange = sampleExchange({}, { plan, principal: { tenant: toTenant('a') } });
      counter.completed({ status: 200, origin: 'upstream' }, exchange, 'complete');
    }
    const { counts, dropped } = counter.take();
    expect([counts.length, dropped, counter.take().counts.length]).toEqual([2000, 100, 0]);
  });
});
