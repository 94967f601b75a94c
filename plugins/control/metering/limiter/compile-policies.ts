import {
  isPattern,
  type LimitPolicy,
  type PolicyCondition,
  type PolicyView,
  textPattern,
} from '../../kernel/limits/limit-policy.ts';
import { bucketReader, type LimitFacts, policyKey } from './limit-facts.ts';
import { MatchedPolicies, type MatchedPolicy, noPolicies, watchedFrom } from './matched-policies.ts';

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

const findMatch = (
  { conditions, bucket: readBucket, policy, isOfTarget, order, watchedFrom }: Compiled,
  facts: LimitFacts,
): MatchedPolicy | undefined => {
  const bucket = conditions.every((holds) => holds(facts)) ? readBucket(facts) : undefined;
  return bucket === undefined ? undefined : { policy, bucket, isOfTarget, order, watchedFrom };
};

type Matcher = (facts: LimitFacts) => MatchedPolicies;

const toMatcher = (policies: readonly Compiled[]): Matcher => {
  const always = policies.filter(({ policy }) => groupingCondition(policy) === undefined);
  const named = policies.flatMap((each) => {
    const { key = '', values = [] } = groupingCondition(each.policy) ?? {};
    return [...new Set(values)].map((value) => ({ key, value, each }));
  });
  const indexes = [...Map.groupBy(named, ({ key }) => key)].map(([key, ofKey]) => ({
    read: policyKey(key).read,
    byValue: Map.groupBy(ofKey, ({ value }) => value),
  }));
  return (facts) => {
    const found = new Set(always);
    for (const { read, byValue } of indexes)
      for (const value of read(facts)) for (const { each } of byValue.get(value) ?? []) found.add(each);
    const matches = [...found].map((each) => findMatch(each, facts)).filter((match) => match !== undefined);
    return new MatchedPolicies(matches.sort((one, other) => one.order - other.order));
  };
};

/** Callers choose labels and models: a longer text is not remembered. */
const longestText = 200;

const isStored = (value: unknown): boolean => typeof value !== 'string' || value.length <= longestText;

/** How much may be remembered by all that share it. When it is more, all of it is forgotten. */
export class MemoryBudget {
  readonly #max: number;
  readonly #remembering = new Set<Known>();
  #used = 0;

  constructor(max = 10_000) {
    this.#max = max;
  }

  /** Counts one more entry of a root. Beyond `max`, all roots forget what they have first: also those that nobody asks any more. */
  take(root: Known): void {
    this.#used += 1;
    if (this.#used > this.#max) {
      for (const each of this.#remembering) each.forget();
      this.#remembering.clear();
      this.#used = 1;
    }
    this.#remembering.add(root);
  }
}

/** The policies of requests with the same first values. */
class Known {
  #next: Map<unknown, Known> | undefined;
  matches: MatchedPolicies | undefined;

  forget(): void {
    this.#next = undefined;
    this.matches = undefined;
  }

  find(value: unknown): Known | undefined {
    return this.#next?.get(value);
  }

  add(value: unknown): Known {
    const added = new Known();
    this.#next ??= new Map();
    this.#next.set(value, added);
    return added;
  }
}

/**
 * Remembers what covers a request by the values that decide it, so that it is found once for a key, a model and a target. What
 * was seen costs a look-up for each of the values.
 */
const rememberedMatcher = (policies: readonly Compiled[], budget: MemoryBudget): Matcher => {
  if (policies.length === 0) return () => noPolicies;
  const match = toMatcher(policies);
  const keys = new Set(policies.flatMap(({ policy }) => toKeys(policy)));
  const facts = [...new Set([...keys].flatMap((key) => policyKey(key).facts))];
  const all = new Known();

  const add = (given: LimitFacts): MatchedPolicies => {
    const matches = match(given);
    const values = facts.map((fact) => fact(given));
    if (!values.every(isStored)) return matches;
    budget.take(all);
    let known = all;
    for (const value of values) known = known.find(value) ?? known.add(value);
    known.matches = matches;
    return matches;
  };

  return (given) => {
    let known: Known | undefined = all;
    for (const fact of facts) known = known?.find(fact(given));
    return known?.matches ?? add(given);
  };
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

/** The same policy, whose conditions name providers by their ids: requests know no other names of them. */
const withProviderIds = (policy: LimitPolicy, toId: (provider: string) => string): LimitPolicy => ({
  ...policy,
  conditions: policy.conditions.map((condition) =>
    condition.key === 'provider'
      ? { ...condition, values: condition.values.map(toId), excludes: condition.excludes.map(toId) }
      : condition,
  ),
});

/**
 * Arranges each list of policies once. What is remembered of requests has one bound for all lists. `toProviderId` finds the id of
 * the provider that has a name.
 */
export const createPolicyFinder = (policies: PolicyView, toProviderId: (provider: string) => string): PoliciesOf => {
  const compiled = new WeakMap<readonly LimitPolicy[], CompiledPolicies>();
  const budget = new MemoryBudget();
  return (workspace, organisation) => {
    const list = policies.findPolicies(workspace, organisation);
    if (list.length === 0) return undefined;
    const known = compiled.get(list);
    if (known !== undefined) return known;
    const made = compilePolicies(
      list.map((policy) => withProviderIds(policy, toProviderId)),
      budget,
    );
    compiled.set(list, made);
    return made;
  };
};
