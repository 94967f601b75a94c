import { describe, expect, it } from 'vitest';
import { measureBounds } from '../../../compiler/semantics/bounds.ts';
import type { OutputChecksStage, RetryStage } from '../../../schema/plan/plan.ts';
import {
  always,
  breakerStage,
  codes,
  leafAt,
  never,
  not2xx,
  targetAt,
  targetTable,
  tierIs,
  toBalance,
  toConditional,
  toFallback,
} from '../../support/plans/plan-nodes.ts';

const retry = (attempts: number, more: Partial<RetryStage> = {}): RetryStage => ({
  kind: 'retry',
  attempts,
  on: [429],
  useRetryAfter: false,
  ...more,
});

describe('the bounds of a plan', () => {
  it('count one call and its time-out for a leaf', () => {
    expect(measureBounds(leafAt(0), targetTable)).toEqual({ calls: 1, waitMs: 1000, targets: ['t0'] });
  });

  it('assume ten minutes for an attempt without a time-out', () => {
    const { timeoutMs: _timeoutMs, ...patient } = targetAt(0);
    expect(measureBounds(leafAt(0), [patient]).waitMs).toBe(600_000);
  });

  it('add the attempts and the longest waits of retries', () => {
    expect(measureBounds(leafAt(0, retry(3)), targetTable)).toMatchObject({ calls: 4, waitMs: 4000 + 7000 });
    expect(measureBounds(leafAt(0, retry(5)), targetTable)).toMatchObject({ calls: 6, waitMs: 6000 + 31_000 });
  });

  it('add one attempt for a check that may request one, unless it runs in the background', () => {
    const asking = (async: boolean): OutputChecksStage => ({
      kind: 'output-checks',
      hooks: [
        {
          id: 'h',
          type: 'guardrail',
          async,
          deny: { onFail: true, onSuccess: false },
          feedback: {},
          checks: [{ check: 'c', id: 'c', parameters: {}, failOnError: false, retries: true }],
        },
      ],
    });
    expect(measureBounds(leafAt(0, asking(false)), targetTable)).toMatchObject({ calls: 2, waitMs: 2000 });
    expect(measureBounds(leafAt(0, retry(3), asking(false)), targetTable)).toMatchObject({ calls: 5 });
    expect(measureBounds(leafAt(0, asking(true)), targetTable)).toMatchObject({ calls: 1 });
  });

  it('allow a minute for waits that the provider requests, but only if a status is listed', () => {
    const heeded = retry(1, { useRetryAfter: true });
    expect(measureBounds(leafAt(0, heeded), targetTable).waitMs).toBe(2000 + 60_000);
    expect(measureBounds(leafAt(0, { ...heeded, on: [] }), targetTable).waitMs).toBe(2000 + 1000);
  });

  it('count all branches of a fallback, but one branch of a load balance or a conditional', () => {
    const [a, b, c] = [leafAt(0, retry(1)), leafAt(1), leafAt(2)] as const;
    expect(measureBounds(toFallback(not2xx, a, b, c), targetTable)).toMatchObject({ calls: 4, waitMs: 5000 });
    expect(measureBounds(toBalance([1, a], [1, b]), targetTable)).toMatchObject({ calls: 2, waitMs: 3000 });
    expect(measureBounds(toConditional([[tierIs('gold'), 0]], 1, b, a), targetTable)).toMatchObject({ calls: 2 });
  });

  it('count only one branch of a fallback that nothing triggers', () => {
    const guarded = leafAt(4, breakerStage);
    const plan = toFallback(codes(), guarded, leafAt(0, retry(1)), leafAt(2));
    expect(measureBounds(plan, targetTable)).toEqual({ calls: 2, waitMs: 3000, targets: ['t0', 't4'] });
  });

  it('list each reachable target once, sorted', () => {
    const twice = toFallback(not2xx, leafAt(3), leafAt(1), leafAt(3));
    expect(measureBounds(twice, targetTable).targets).toEqual(['t1', 't3']);
    const balance = toBalance([0, leafAt(0)], [1, leafAt(1)]);
    expect(measureBounds(balance, targetTable).targets).toEqual(['t1']);
    const decided = toConditional(
      [
        [never, 0],
        [tierIs('gold'), 1],
        [always, 2],
        [tierIs('free'), 3],
      ],
      4,
      ...[0, 1, 2, 3, 4].map((at) => leafAt(at)),
    );
    expect(measureBounds(decided, targetTable).targets).toEqual(['t1', 't2']);
    const open = toConditional([[tierIs('gold'), 1]], 2, leafAt(0), leafAt(1), leafAt(2));
    expect(measureBounds(open, targetTable).targets).toEqual(['t1', 't2']);
  });
});
