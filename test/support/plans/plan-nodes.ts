import type { StatusRule } from '../../../schema/http/status.ts';
import { hashValue } from '../../../schema/json/canonical.ts';
import { isNonEmpty, type NonEmptyArray } from '../../../schema/json/json.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import type { Condition } from '../../../schema/plan/condition.ts';
import type {
  BreakerStage,
  ConditionalNode,
  FallbackNode,
  LeafNode,
  LoadbalanceNode,
  PlanNode,
  Stage,
  Target,
} from '../../../schema/plan/plan.ts';

/** A target by number: `t0`, `t1`, … It answers within a second or not at all. */
export const targetAt = (index: number): Target => ({
  id: `t${index}`,
  from: { kind: 'inline', provider: 'scripted' },
  credential: null,
  upstream: { kind: 'provider' },
  settings: {},
  headers: { forward: [] },
  params: { override: {} },
  timeoutMs: 1000,
  strict: true,
});

export const targetTable: readonly Target[] = [0, 1, 2, 3, 4].map(targetAt);

/** The leaf of a target, at a place named after it. */
export const leafAt = (target: number, ...stages: readonly Stage[]): LeafNode => ({
  kind: 'leaf',
  path: toPointer(['targets', target]),
  hash: hashValue({ target, stages }),
  target,
  stages,
  needs: { request: 'pass', answer: 'pass', because: [] },
});

export const breakerStage: BreakerStage = {
  kind: 'breaker',
  threshold: 1,
  cooldownMs: 30_000,
  failures: { kind: 'breaker-default' },
};

const nonEmpty = <Thing>(list: readonly Thing[]): NonEmptyArray<Thing> => {
  if (!isNonEmpty(list)) throw new RangeError('A group has at least one branch.');
  return list;
};

export const toBalance = (...branches: readonly (readonly [weight: number, node: PlanNode])[]): LoadbalanceNode => ({
  kind: 'loadbalance',
  path: toPointer([]),
  branches: nonEmpty(branches.map(([weight, node]) => ({ weight, node }))),
});

export const toFallback = (on: StatusRule, ...branches: readonly PlanNode[]): FallbackNode => ({
  kind: 'fallback',
  path: toPointer([]),
  on,
  branches: nonEmpty(branches),
});

export const not2xx: StatusRule = { kind: 'not-2xx' };

export const codes = (...list: readonly number[]): StatusRule => ({ kind: 'codes', codes: list });

export const toConditional = (
  cases: readonly (readonly [when: Condition, branch: number])[],
  otherwise: number,
  ...branches: readonly PlanNode[]
): ConditionalNode => ({
  kind: 'conditional',
  path: toPointer([]),
  branches: nonEmpty(branches),
  cases: cases.map(([when, branch]) => ({ when, branch })),
  otherwise,
});

export const always: Condition = { kind: 'all', of: [] };
export const never: Condition = { kind: 'any', of: [] };

export const tierIs = (value: string): Condition => ({ kind: 'test', path: ['metadata', 'tier'], op: '$eq', value });
