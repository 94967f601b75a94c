import { describe, expect, it } from 'vitest';
import { isWanted, type Occurrence } from '../../../plugins/alerts/messages/alert.ts';
import { CircuitChanges } from '../../../plugins/alerts/sources/circuits.ts';
import { CredentialChanges } from '../../../plugins/alerts/sources/credentials.ts';
import { ErrorRates } from '../../../plugins/alerts/sources/error-rates.ts';
import { type GatewayHealth, HealthAlerts } from '../../../plugins/alerts/sources/health.ts';
import { LimitAlerts } from '../../../plugins/alerts/sources/limits.ts';
import { TargetAlerts } from '../../../plugins/alerts/sources/target-alerts.ts';
import type { ServingPlan } from '../../../plugins/sdk/exchange/exchange.ts';
import type { LimitReached } from '../../../plugins/sdk/hooks/limit-reached.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { sampleExchange, toTenant } from '../../support/in-process/sample-exchange.ts';
import { sampleLeaf, samplePlan } from '../../support/plans/sample-plan.ts';
import { sampleOccurrence } from './support/sample-alert.ts';

const noting = () => {
  const noted: Occurrence[] = [];
  const states = (): readonly string[] => noted.map(({ kind, state }) => `${kind} ${state}`);
  return { noted, states, note: (occurrence: Occurrence) => void noted.push(occurrence) };
};

const routing = samplePlan();
const plan: ServingPlan = { routing, label: 'sample@1' };
const exchangeOf = (tenant: string, given: Partial<ServingPlan> = {}) =>
  sampleExchange({}, { plan: { ...plan, ...given }, principal: { tenant: toTenant(tenant) } });

describe('circuit alerts', () => {
  type Changed = Extract<TrailEvent, { kind: 'circuitChanged' }>;
  const changed = (from: Changed['from'], to: Changed['to'], of?: Changed['of']): Changed => ({
    ...{ kind: 'circuitChanged', path: sampleLeaf(0).path, from, to },
    ...(of === undefined ? {} : { of }),
  });
  const follow = () => {
    const clock = createVirtualClock();
    const served = new Set<string>([routing.hash]);
    const { note, ...rest } = noting();
    const alerts = new TargetAlerts({ note, now: clock.monotonic, hashes: () => served });
    const changes = new CircuitChanges('gw-1');
    const circuits = {
      look: () => alerts.look(),
      changed: (event: Changed, exchange: ReturnType<typeof exchangeOf>) => {
        const change = changes.describe(event, exchange);
        if (change !== undefined) alerts.changed(change);
      },
    };
    return { clock, served, circuits, ...rest };
  };

  it('are resolved when all circuits of a target are closed', () => {
    const { circuits, states, noted } = follow();
    const exchange = exchangeOf('a');
    circuits.changed(changed('closed', 'open'), exchange);
    circuits.changed(changed('closed', 'open'), exchange);
    circuits.changed(changed('open', 'half-open'), exchange);
    circuits.changed(changed('half-open', 'open'), exchange);
    circuits.changed(changed('half-open', 'closed'), exchange);
    expect(states()).toEqual(['circuit.open open']);
    circuits.changed(changed('half-open', 'closed'), exchange);
    expect(states()).toEqual(['circuit.open open', 'circuit.open resolved']);
    expect(noted[0]).toMatchObject({ tenant: 'a', details: { config: 'sample', target: 'main', provider: 'openai' } });
  });

  it('are separate for two tenants, and are not raised for plans that callers bring', () => {
    const { circuits, noted } = follow();
    for (const tenant of ['a', 'b', 'a']) circuits.changed(changed('closed', 'open'), exchangeOf(tenant));
    circuits.changed(changed('closed', 'open'), exchangeOf('c', { isCallers: true }));
    expect(noted.map(({ key }) => key)).toEqual(['circuit.open gw-1 a sample main', 'circuit.open gw-1 b sample main']);
  });

  it('are resolved when their config is replaced or nobody has tried the target for a day', () => {
    const { circuits, states, served, clock, noted } = follow();
    circuits.changed(changed('closed', 'open'), exchangeOf('a'));
    circuits.look();
    expect(states()).toEqual(['circuit.open open']);
    served.clear();
    circuits.look();
    expect(noted.at(-1)?.title).toContain('its config was replaced');
    circuits.changed(changed('closed', 'open'), exchangeOf('a'));
    clock.advance(25 * 3_600_000);
    circuits.look();
    expect(states().at(-1)).toBe('circuit.open resolved');
    expect(noted.at(-1)?.title).toContain('for a day');
  });
});

describe('credential alerts', () => {
  const own = {
    kind: 'fields',
    fields: { api_key: { kind: 'reference', ref: '${env:KEY}' } },
  } as const;
  const follow = () => {
    const clock = createVirtualClock();
    const { note, ...rest } = noting();
    const alerts = new TargetAlerts({ note, now: clock.monotonic, hashes: () => new Set([routing.hash]) });
    const changes = new CredentialChanges({ source: 'gw-1', now: clock.monotonic });
    const planOf = (target: Partial<Target>, given: Partial<ServingPlan> = {}): Partial<ServingPlan> => ({
      routing: { ...routing, targets: routing.targets.map((each) => ({ ...each, credential: own, ...target })) },
      ...given,
    });
    const answer = (status: number, given = planOf({}), more: object = {}): void => {
      const change = changes.describe({ target: 'main', status, origin: 'upstream', ...more }, exchangeOf('a', given));
      if (change !== undefined) alerts.changed(change);
    };
    return { clock, alerts, answer, planOf, ...rest };
  };

  it('are raised at the first refusal and resolved when the credential is accepted', () => {
    const { answer, states, noted } = follow();
    for (const status of [401, 401, 500, 429]) answer(status);
    expect(states()).toEqual(['credential.refused open']);
    expect(noted[0]).toMatchObject({
      severity: 'critical',
      title: 'The credential of target "main" in config "sample" is refused: openai answers 401.',
      details: { config: 'sample', target: 'main', provider: 'openai', status: 401 },
    });
    answer(200);
    answer(200);
    expect(states()).toEqual(['credential.refused open', 'credential.refused resolved']);
    expect(noted[1]?.title).toBe('The credential of target "main" in config "sample" is accepted again.');
    answer(402);
    expect(noted[2]?.title).toContain('is out of credit: openai answers 402.');
  });

  it('are raised for 403 only if nothing else is answered, because one 403 may concern a model', () => {
    const { answer, states } = follow();
    for (const status of [403, 403, 200, 403, 403]) answer(status);
    expect(states()).toEqual([]);
    answer(403);
    expect(states()).toEqual(['credential.refused open']);
  });

  it("are raised once for a saved provider in all configs, and never for callers' credentials", () => {
    const { answer, planOf, noted } = follow();
    const saved = { from: { kind: 'saved', slug: 'team', provider: 'openai' } } as const;
    answer(401, planOf({ credential: { kind: 'request' } }));
    answer(401, planOf({}, { isCallers: true }));
    expect(noted).toEqual([]);
    const titles = ['The credential of the saved provider "@team" is refused: openai answers 401.'];
    for (const given of [{ isCallers: true } as const, {}]) {
      answer(401, planOf(saved, given));
      expect(noted.map(({ title }) => title)).toEqual(titles);
    }
  });

  it('are separate for each of several keys', () => {
    const { answer, planOf, noted } = follow();
    answer(401, planOf({}), { key: 0 });
    answer(401, planOf({}), { key: 1 });
    answer(200, planOf({}), { key: 1 });
    expect(noted.map(({ state, details }) => [state, details.key])).toEqual([
      ['open', 0],
      ['open', 1],
      ['resolved', 1],
    ]);
  });

  it('are raised again by a process that still sees refusals after another process has resolved the alert', () => {
    const { answer, alerts, states, noted, clock } = follow();
    answer(401);
    const [occurrence] = noted;
    if (occurrence === undefined) throw new Error('It was reported.');
    alerts.changed({ state: 'closed', occurrence, ending: { subject: 'It', closed: 'works' }, hash: routing.hash });
    answer(401);
    expect(states()).toEqual(['credential.refused open', 'credential.refused resolved']);
    clock.advance(60_000);
    answer(401);
    expect(states().at(-1)).toBe('credential.refused open');
  });
});

describe('error rate alerts', () => {
  const rate = (settings = { percent: 20, windowS: 100, atLeast: 20 }) => {
    const clock = createVirtualClock();
    const { note, ...rest } = noting();
    const rates = new ErrorRates({ ...settings, note, now: clock.monotonic, source: 'gw-1' });
    const answer = (tenant: string, count: number, status: number): void => {
      for (let at = 0; at < count; at += 1)
        rates.completed({ status, origin: 'upstream' }, exchangeOf(tenant), 'complete');
    };
    const pass = (seconds: number): void => {
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1000);
        rates.look();
      }
    };
    return { rates, answer, pass, ...rest };
  };

  it('are raised at the configured share and resolved at half of it', () => {
    const { answer, pass, states, noted } = rate();
    answer('a', 16, 200);
    answer('a', 3, 503);
    pass(1);
    expect(states()).toEqual([]);
    answer('a', 1, 503);
    pass(1);
    expect(states()).toEqual(['errors.high open']);
    expect(noted[0]?.details).toMatchObject({ config: 'sample', failed: 4, requests: 20 });
    answer('a', 12, 200);
    pass(1);
    expect(states()).toHaveLength(1);
    answer('a', 20, 200);
    pass(1);
    expect(states()).toEqual(['errors.high open', 'errors.high resolved']);
  });

  it('are not raised for few requests, and are resolved when the window is over', () => {
    const { answer, pass, states } = rate();
    answer('a', 19, 500);
    pass(1);
    expect(states()).toEqual([]);
    answer('a', 1, 500);
    pass(99);
    expect(states()).toEqual(['errors.high open']);
    pass(20);
    expect(states()).toEqual(['errors.high open', 'errors.high resolved']);
  });

  it('count refused credentials and provider limits, but not mistakes of callers', () => {
    const { answer, pass, states } = rate();
    answer('a', 30, 400);
    answer('b', 30, 401);
    answer('c', 30, 429);
    pass(1);
    expect(states()).toEqual(['errors.high open', 'errors.high open']);
  });

  it('are separate for a target and its config', () => {
    const { rates, pass, noted } = rate();
    for (let at = 0; at < 20; at += 1) {
      rates.attempted({ target: 'main', status: 502, origin: 'network' }, exchangeOf('a'));
      rates.completed({ status: 200, origin: 'upstream' }, exchangeOf('a'), 'complete');
    }
    pass(1);
    expect(noted.map(({ severity, details }) => [severity, details.target])).toEqual([['warning', 'main']]);
  });

  it('are limited to a number of configs, a quarter of them for one tenant', () => {
    const { rates, pass, noted } = rate({ percent: 20, windowS: 100, atLeast: 1 });
    const fail = (tenant: string, name: string): void =>
      rates.completed(
        { status: 500, origin: 'upstream' },
        exchangeOf(tenant, { routing: { ...routing, name } }),
        'complete',
      );
    for (let at = 0; at < 5000; at += 1) fail('flood', `config ${at}`);
    fail('other', 'main');
    pass(1);
    expect(noted.filter(({ tenant }) => tenant === 'flood')).toHaveLength(500);
    expect(noted.filter(({ tenant }) => tenant === 'other')).toHaveLength(1);
    // Entries without recent counts are forgotten, which makes room for others.
    pass(120);
    fail('flood', 'another');
    pass(1);
    expect(noted.at(-1)?.details.config).toBe('another');
  });
});

const reached: LimitReached = {
  ...{ kind: 'exhausted', policy: 'pol-1', name: 'Budget', bucket: '', unit: 'nanoUsd', used: 2e9, limit: 2e9 },
  ...{ organisation: 'org-1', workspace: 'ws-1', at: 0, resetsAt: 60_000 },
};

describe('limit alerts', () => {
  it('are resolved at the end of the window if the policy does not group', () => {
    const { note, noted, states } = noting();
    const limits = new LimitAlerts(note);
    limits.reached(reached);
    limits.look(59_999);
    expect(states()).toEqual(['limit.exhausted open']);
    limits.look(60_000);
    expect(states()).toEqual(['limit.exhausted open', 'limit.exhausted resolved']);
    expect(noted[0]).toMatchObject({ title: 'The limit "Budget" is used up: $2 of $2.', workspace: 'ws-1' });
  });

  it('are one-time alerts under a single key if the policy has many counters', () => {
    const { note, noted } = noting();
    const limits = new LimitAlerts(note);
    for (const bucket of ['metadata._user:ada', 'metadata._user:<\u001b[2J>']) limits.reached({ ...reached, bucket });
    limits.look(1e9);
    expect(noted.map(({ key, state }) => [key, state])).toEqual([
      ['limit.exhausted pol-1', 'once'],
      ['limit.exhausted pol-1', 'once'],
    ]);
    expect(noted[1]?.sample).toBe('metadata._user:<\\u001b[2J>');
  });

  it('mask a credential in the name of a counter', () => {
    const { note, noted } = noting();
    const credential = `sk-ant-api03-${'aB3dE5'.repeat(16)}`;
    new LimitAlerts(note).reached({ ...reached, bucket: `metadata._user:${credential}` });
    expect(JSON.stringify(noted)).not.toContain('aB3dE5');
    expect(noted[0]?.sample).toBe('metadata._user:•••');
  });
});

describe('alerts about the gateway itself', () => {
  const watch = () => {
    const clock = createVirtualClock();
    const { note, ...rest } = noting();
    const own = new HealthAlerts({ note, now: clock.monotonic, source: 'gw-1', unavailableMs: 30_000 });
    const look = (given: Partial<GatewayHealth>, ms = 1000): void => {
      clock.advance(ms);
      own.look({ refused: [], hashes: new Set(), unavailable: new Set(), dropped: {}, ...given });
    };
    return { look, ...rest };
  };

  it('report a refused config once, until it is accepted', () => {
    const { look, states } = watch();
    const refused = [{ file: 'main.json', reason: 'It has errors.' }];
    for (let at = 0; at < 5; at += 1) look({ refused });
    look({});
    look({});
    expect(states()).toEqual(['config.refused open', 'config.refused resolved']);
  });

  it('report a store only if it is unavailable for the configured time, not for moments', () => {
    const { look, states } = watch();
    const unavailable = new Set(['store'] as const);
    for (let at = 0; at < 5; at += 1) {
      look({ unavailable }, 20_000);
      look({});
    }
    expect(states()).toEqual([]);
    for (let at = 0; at < 4; at += 1) look({ unavailable }, 15_000);
    look({});
    expect(states()).toEqual(['store.unavailable open', 'store.unavailable resolved']);
  });

  it('report how many records are lost', () => {
    const { look, noted } = watch();
    look({ dropped: { 'the log of requests': 0 } });
    look({ dropped: { 'the log of requests': 7 } });
    look({ dropped: { 'the log of requests': 7 } });
    look({ dropped: { 'the log of requests': 9 } });
    expect(noted.map(({ times }) => times)).toEqual([7, 2]);
  });
});

it('a receiver gets only the kinds, severities and workspaces in its settings', () => {
  const wanted = (given: Partial<Occurrence>, settings: object): boolean =>
    isWanted({ ...sampleOccurrence, ...given }, settings, 'team');
  expect(wanted({}, {})).toBe(true);
  expect(wanted({ kind: 'gateway.started' }, {})).toBe(false);
  expect(wanted({ kind: 'gateway.started' }, { on: ['gateway.started'] })).toBe(true);
  expect(wanted({}, { on: ['errors.high'] })).toBe(false);
  expect([wanted({}, { severity: 'critical' }), wanted({}, { severity: 'error' })]).toEqual([false, true]);
  expect([wanted({}, { workspaces: ['ws-2'] }), wanted({}, { workspaces: ['ws-1'] })]).toEqual([false, true]);
  expect([wanted({}, { workspaces: ['teams'] }), wanted({}, { workspaces: ['team'] })]).toEqual([false, true]);
});
