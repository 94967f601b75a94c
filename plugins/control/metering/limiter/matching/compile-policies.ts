import {
  isPattern,
  type LimitPolicy,
  type PolicyCondition,
  type PolicyView,
  textPattern,
} from '../../../kernel/limits/limit-policy.ts';
import { bucketReader, type FactReader, type LimitFacts, policyKey } from './limit-facts.ts';
import { MatchedPolicies, type MatchedPolicy, noPolicies, watchedFrom } from './matched-policies.ts';
import { MemoryBudget, rememberedByFacts } from './remembered-by-facts.ts';

/** A list of policies, arranged so that those of a request are found. */
export interface CompiledPolicies {
  /** Those that are decided before a target is chosen. */
  ofRequest(facts: LimitFacts): MatchedPolicies;
  /** Those that depend on the target of an attempt. */
  ofTarget(facts: LimitFacts): MatchedPolicies;
  /** Whether any of them depends on the model. */
  readonly readsModels: boolean;
}

type Holds = (facts: LimitFacts) => boolean;

interface Compiled extends Omit<MatchedPolicy, 'bucket'> {
  readonly conditions: readonly Holds[];
  readonly bucket: (facts: LimitFacts) => string | undefined;
}

const anyOf = (patterns: readonly string[]): ((text: string) => boolean) => {
  const exact = new Set(patterns.filter((text) => !isPattern(text)));
  const open = patterns.filter(isPattern).map(textPattern);
  return (text) => exact.has(text) || open.some((matches) => matches(text));
};

/** A condition without values asks only that none of its exclusions holds. */
const toCondition = ({ key, values, excludes }: PolicyCondition): Holds => {
  const read = policyKey(key).read;
  const isIn = values.length === 0 ? undefined : anyOf(values);
  const isOut = excludes.length === 0 ? undefined : anyOf(excludes);
  return (facts) => {
    const found = read(facts);
    return (isIn === undefined || found.some(isIn)) && !(isOut !== undefined && found.some(isOut));
  };
};

const toKeys = ({ conditions, groupBy }: LimitPolicy): readonly string[] => [
  ...conditions.map(({ key }) => key),
  ...groupBy,
];

const compiled = (policy: LimitPolicy, order: number): Compiled => ({
  order,
  policy,
  isOfTarget: toKeys(policy).some((key) => policyKey(key).isOfTarget),
  watchedFrom: watchedFrom(policy),
  conditions: policy.conditions.map(toCondition),
  bucket: bucketReader(policy.groupBy),
});

/** Keys that distinguish few requests come last. */
const rank = (key: string): number => ['endpoint_type', 'workspace_id', 'organisation_id'].indexOf(key);

/** The condition by which a policy is found: one that names its values, so that other requests do not look at the policy. */
const groupingCondition = ({ conditions }: LimitPolicy): PolicyCondition | undefined =>
  conditions
    .filter(({ values }) => values.length > 0 && !values.some(isPattern))
    .toSorted((one, other) => rank(one.key) - rank(other.key))[0];

interface KeyIndex {
  readonly read: FactReader;
  readonly byValue: Map<string, Compiled[]>;
}

const findMatch = (each: Compiled, facts: LimitFacts): MatchedPolicy | undefined => {
  for (const holds of each.conditions) if (!holds(facts)) return undefined;
  const bucket = each.bucket(facts);
  if (bucket === undefined) return undefined;
  return { policy: each.policy, bucket, isOfTarget: each.isOfTarget, order: each.order, watchedFrom: each.watchedFrom };
};

type Matcher = (facts: LimitFacts) => MatchedPolicies;

const toMatcher = (policies: readonly Compiled[]): Matcher => {
  const byKey = new Map<string, KeyIndex>();
  const always: Compiled[] = [];
  for (const each of policies) {
    const condition = groupingCondition(each.policy);
    if (condition === undefined) {
      always.push(each);
      continue;
    }
    const { key, values } = condition;
    const index = byKey.get(key) ?? { read: policyKey(key).read, byValue: new Map<string, Compiled[]>() };
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
      const match = findMatch(each, facts);
      if (match !== undefined) found.push(match);
    };
    for (const each of always) look(each);
    for (const { read, byValue } of indexes)
      for (const value of read(facts)) for (const each of byValue.get(value) ?? []) look(each);
    return new MatchedPolicies(found.sort((one, other) => one.order - other.order));
  };
};

const rememberedMatcher = (policies: readonly Compiled[], budget: MemoryBudget): Matcher => {
  if (policies.length === 0) return () => noPolicies;
  const keys = policies.flatMap(({ policy }) => toKeys(policy));
  return rememberedByFacts({ keys, make: toMatcher(policies), budget });
};

/**
 * Arranges policies. The first request of its kind costs what the policies that name one of its values cost, and others find
 * what that one has found, as long as the budget lasts.
 */
export const compilePolicies = (
  policies: readonly LimitPolicy[],
  budget: MemoryBudget = new MemoryBudget(),
): CompiledPolicies => {
  const all = policies.map(compiled);
  return {
    ofRequest: rememberedMatcher(
      all.filter((each) => !each.isOfTarget),
      budget,
    ),
    ofTarget: rememberedMatcher(
      all.filter((each) => each.isOfTarget),
      budget,
    ),
    readsModels: policies.some((policy) => toKeys(policy).includes('model')),
  };
};

/** The policies of a workspace and of its organisation; undefined if there are none. */
export type PoliciesOf = (workspace: string, organisation: string) => CompiledPolicies | undefined;

/** Arranges each list of policies once. What is remembered of requests has one bound for all lists. */
export const createPolicyFinder = (policies: PolicyView): PoliciesOf => {
  const compiled = new WeakMap<readonly LimitPolicy[], CompiledPolicies>();
  const budget = new MemoryBudget();
  return (workspace, organisation) => {
    const list = policies.findPolicies(workspace, organisation);
    if (list.length === 0) return undefined;
    const known = compiled.get(list);
    if (known !== undefined) return known;
    const made = compilePolicies(list, budget);
    compiled.set(list, made);
    return made;
  };
};
