import type { LimitPolicy, PolicyCondition } from '../../policies/limit-policy.ts';
import { bucketReader } from './bucket-of.ts';
import { type FactReader, factReader, isOfTarget } from './fact-reader.ts';
import type { LimitFacts } from './limit-facts.ts';
import { isWatched } from './reached-limits.ts';
import { isPattern, textPattern } from './text-pattern.ts';

/** A policy that covers a request, and which of its counters the request belongs to. */
export interface MatchedPolicy {
  readonly policy: LimitPolicy;
  readonly bucket: string;
  /** Whether another target may be free of the limit. */
  readonly isOfTarget: boolean;
  /** Its place in the list. */
  readonly order: number;
  /** Whether the operator may be told something of its counters. */
  readonly isWatched: boolean;
}

/** A list of policies, arranged so that those of a request are found. Matches are in the order of the list. */
export interface CompiledPolicies {
  /** Those that are decided before a target is chosen. */
  ofRequest(facts: LimitFacts): readonly MatchedPolicy[];
  /** Those that depend on the target of an attempt. */
  ofTarget(facts: LimitFacts): readonly MatchedPolicy[];
  /** Whether any of them depends on the model. */
  readonly readsModels: boolean;
}

type Holds = (facts: LimitFacts) => boolean;

interface Compiled {
  readonly order: number;
  readonly policy: LimitPolicy;
  readonly isOfTarget: boolean;
  readonly isWatched: boolean;
  readonly conditions: readonly Holds[];
  readonly bucket: (facts: LimitFacts) => string | undefined;
}

const anyOf = (patterns: readonly string[]): ((text: string) => boolean) => {
  const exact = new Set(patterns.filter((text) => !isPattern(text)));
  const open = patterns.filter(isPattern).map(textPattern);
  return (text) => exact.has(text) || open.some((matches) => matches(text));
};

/** A condition without values asks only that none of its exclusions holds. */
const conditionOf = ({ key, values, excludes }: PolicyCondition): Holds => {
  const read = factReader(key);
  const isIn = values.length === 0 ? undefined : anyOf(values);
  const isOut = excludes.length === 0 ? undefined : anyOf(excludes);
  return (facts) => {
    const found = read(facts);
    return (isIn === undefined || found.some(isIn)) && !(isOut !== undefined && found.some(isOut));
  };
};

const keysOf = ({ conditions, groupBy }: LimitPolicy): readonly string[] => [
  ...conditions.map(({ key }) => key),
  ...groupBy,
];

const compiled = (policy: LimitPolicy, order: number): Compiled => ({
  order,
  policy,
  isOfTarget: keysOf(policy).some(isOfTarget),
  isWatched: isWatched(policy),
  conditions: policy.conditions.map(conditionOf),
  bucket: bucketReader(policy.groupBy),
});

/** Keys that tell few requests apart come last. */
const rank = (key: string): number => ['endpoint_type', 'workspace_id', 'organisation_id'].indexOf(key);

/** The condition by which a policy is found: one that names its values, so that other requests do not look at the policy. */
const telling = ({ conditions }: LimitPolicy): PolicyCondition | undefined =>
  conditions
    .filter(({ values }) => values.length > 0 && !values.some(isPattern))
    .toSorted((one, other) => rank(one.key) - rank(other.key))[0];

interface KeyIndex {
  readonly read: FactReader;
  readonly byValue: Map<string, Compiled[]>;
}

const matchOf = (each: Compiled, facts: LimitFacts): MatchedPolicy | undefined => {
  for (const holds of each.conditions) if (!holds(facts)) return undefined;
  const bucket = each.bucket(facts);
  if (bucket === undefined) return undefined;
  return { policy: each.policy, bucket, isOfTarget: each.isOfTarget, order: each.order, isWatched: each.isWatched };
};

const nothing: readonly MatchedPolicy[] = [];

const matcherOf = (policies: readonly Compiled[]): ((facts: LimitFacts) => readonly MatchedPolicy[]) => {
  if (policies.length === 0) return () => nothing;
  const byKey = new Map<string, KeyIndex>();
  const always: Compiled[] = [];
  for (const each of policies) {
    const condition = telling(each.policy);
    if (condition === undefined) {
      always.push(each);
      continue;
    }
    const { key, values } = condition;
    const index = byKey.get(key) ?? { read: factReader(key), byValue: new Map<string, Compiled[]>() };
    byKey.set(key, index);
    for (const value of new Set(values)) {
      const named = index.byValue.get(value) ?? [];
      named.push(each);
      index.byValue.set(value, named);
    }
  }
  const indexes = [...byKey.values()];

  return (facts) => {
    const found: MatchedPolicy[] = [];
    const seen = new Set<Compiled>();
    const look = (each: Compiled): void => {
      if (seen.has(each)) return;
      seen.add(each);
      const match = matchOf(each, facts);
      if (match !== undefined) found.push(match);
    };
    for (const each of always) look(each);
    for (const { read, byValue } of indexes)
      for (const value of read(facts)) for (const each of byValue.get(value) ?? []) look(each);
    return found.length < 2 ? found : found.sort((one, other) => one.order - other.order);
  };
};

/** Arranges policies. A request costs what the policies that name one of its values cost. */
export const compilePolicies = (policies: readonly LimitPolicy[]): CompiledPolicies => {
  const all = policies.map(compiled);
  return {
    ofRequest: matcherOf(all.filter((each) => !each.isOfTarget)),
    ofTarget: matcherOf(all.filter((each) => each.isOfTarget)),
    readsModels: policies.some((policy) => keysOf(policy).includes('model')),
  };
};
