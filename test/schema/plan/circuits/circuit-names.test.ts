import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Origin } from '../../../../schema/http/status.ts';
import {
  circuitOutcome,
  circuitSettings,
  listCircuits,
  maxLimitedMs,
} from '../../../../schema/plan/circuits/circuit-names.ts';
import { type CircuitDivision, circuitDivisions } from '../../../../schema/plan/plan.ts';
import { type CircuitName, describeCircuit } from '../../../../schema/trail/circuit-name.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const divisions: fc.Arbitrary<readonly CircuitDivision[]> = fc.subarray([...circuitDivisions], { minLength: 1 });
const model = fc.option(fc.string({ maxLength: 250 }), { nil: undefined });
const origin = fc.constantFrom<Origin>('upstream', 'network', 'timeout');
const run = fc.record({ status: fc.integer({ min: 100, max: 599 }), origin, failed: fc.boolean() });

const toText = ({ kind, model: of }: CircuitName): string => JSON.stringify([kind, of]);

describe('divided circuits', () => {
  it('are listed once each, and are the same for every request for the same model', () => {
    fc.assert(
      fc.property(divisions, model, (by, asked) => {
        const met = listCircuits(by, asked).map(toText);
        expect(new Set(met).size).toBe(met.length);
        expect(listCircuits(by, asked).map(toText)).toEqual(met);
      }),
      lawRuns,
    );
  });

  it('of two models share that of the credential, and those of the target and its limit if not divided by model', () => {
    fc.assert(
      fc.property(divisions, fc.string({ maxLength: 200 }), fc.string({ maxLength: 200 }), (by, a, b) => {
        fc.pre(a !== b);
        const ofB = new Set(listCircuits(by, b).map(toText));
        const shared = listCircuits(by, a).filter((name) => ofB.has(toText(name)));
        const kinds = shared.map(({ kind }) => kind);
        const credential = by.includes('error') ? ['credential'] : [];
        expect(kinds).toEqual(by.includes('model') ? credential : [...credential, 'limit', 'target']);
      }),
      lawRuns,
    );
  });

  it('count a failure in at most one of them, and a 2xx of the provider as a success in all others', () => {
    fc.assert(
      fc.property(divisions, model, run, (by, asked, ended) => {
        const outcomes = listCircuits(by, asked).map((name) => circuitOutcome(name, by, ended));
        expect(outcomes.filter((outcome) => outcome === 'failure').length).toBeLessThanOrEqual(1);
        const { status, failed } = ended;
        if (ended.origin === 'upstream' && status >= 200 && status <= 299)
          expect(outcomes.filter((outcome) => outcome !== 'success')).toEqual(failed ? ['failure'] : []);
      }),
      lawRuns,
    );
  });

  it.each([
    [401, 'credential'],
    [403, 'credential'],
    [404, 'model'],
    [429, 'limit'],
    [500, 'target'],
    [503, 'target'],
  ] as const)(
    'by error count a %i as a failure of the %s only, and as a success of the target unless it is its failure',
    (status, failing) => {
      for (const failed of failing === 'target' ? [true] : [true, false])
        for (const { kind } of listCircuits(['error'], 'm')) {
          const outcome = circuitOutcome({ kind }, ['error'], { status, origin: 'upstream', failed });
          const otherwise = kind === 'target' ? 'success' : 'neutral';
          expect(outcome, kind).toBe(kind === failing ? 'failure' : otherwise);
        }
    },
  );

  it('by model count every failure as one of the target for that model', () => {
    for (const status of [401, 404, 429, 503]) {
      const [only, ...others] = listCircuits(['model'], 'm');
      expect(others).toEqual([]);
      expect(only).toEqual({ kind: 'target', model: 'm' });
      expect(circuitOutcome({ kind: 'target' }, ['model'], { status, origin: 'upstream', failed: true })).toBe(
        'failure',
      );
    }
  });

  it('have no model if the request names none, or one that is too long', () => {
    for (const asked of [undefined, 'x'.repeat(201)])
      expect(listCircuits(['model', 'error'], asked)).toEqual([
        { kind: 'credential' },
        { kind: 'limit' },
        { kind: 'target' },
      ]);
  });

  it('for a limit open at once for as long as the provider requests, up to five minutes', () => {
    const stage = { threshold: 5, cooldownMs: 30_000 };
    const limit = (askedMs?: number) => circuitSettings({ kind: 'limit' }, stage, askedMs);
    expect(limit()).toEqual({ threshold: 1, cooldownMs: 30_000 });
    expect(limit(0)).toEqual({ threshold: 1, cooldownMs: 0 });
    expect(limit(2000)).toEqual({ threshold: 1, cooldownMs: 2000 });
    expect(limit(Number.POSITIVE_INFINITY)).toEqual({ threshold: 1, cooldownMs: maxLimitedMs });
    for (const kind of ['credential', 'model', 'target'] as const)
      expect(circuitSettings({ kind }, stage, 1)).toEqual(stage);
  });

  it('have a description of what they are for', () => {
    const named = [undefined, ...listCircuits(['model', 'error'], 'gpt')].map((of) => `circuit${describeCircuit(of)}`);
    expect(named).toEqual([
      'circuit',
      'circuit of the credential',
      'circuit of gpt',
      'circuit of the limit for gpt',
      'circuit of the target for gpt',
    ]);
  });
});
