import {
  isPattern,
  type LimitPolicy,
  type PolicyCondition,
  type PolicyView,
  textPattern,
} from '../../kernel/limits/limit-policy.ts';
import { bucketReader, type LimitFacts, policyKey } from './limit-facts.ts';
import { MatchedPolicies, type MatchedPolicy, minReportedAmount, noPolicies } from './matched-policies.ts';

/** A list of policies, indexed so that those that cover a request are found quickly. */
export interface CompiledPolicies {
  /** Returns the policies that are decided before a target is chosen. */
  ofRequest(facts: LimitFacts): MatchedPolicies;
  /** Returns the policies that depend on the target of an attempt. */
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

/** Creates the test for a condition. A condition without values only requires that none of its exclusions match. */
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
  minReportedAmount: minReportedAmount(policy),
  conditions: policy.conditions.map(toCondition),
  bucket: bucketReader(policy.groupBy),
});

/** Sorts keys that distinguish few requests last. */
const rank = (key: string): number => ['endpoint_type', 'workspace_id', 'organisation_id'].indexOf(key);

/**
 * Returns the condition by which a policy is indexed: one that names its values, so that the policy is not evaluated for other
 * requests.
 */
const groupingCondition = ({ conditions }: LimitPolicy): PolicyCondition | undefined =>
  conditions
    .filter(({ values }) => values.length > 0 && !values.some(isPattern))
    .toSorted((one, other) => rank(one.key) - rank(other.key))[0];

const findMatch = (
  { conditions, bucket: readBucket, policy, isOfTarget, order, minReportedAmount }: Compiled,
  facts: LimitFacts,
): MatchedPolicy | undefined => {
  const bucket = conditions.every((holds) => holds(facts)) ? readBucket(facts) : undefined;
  return bucket === undefined ? undefined : { policy, bucket, isOfTarget, order, minReportedAmount };
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

/** Callers choose labels and models, so longer texts are not cached. */
const longestText = 200;

const isStored = (value: unknown): boolean => typeof value !== 'string' || value.length <= longestText;

/** The maximum number of cache entries of everything that shares it. When it is exceeded, all entries are dropped. */
export class MemoryBudget {
  readonly #max: number;
  readonly #remembering = new Set<Known>();
  #used = 0;

  constructor(max = 10_000) {
    this.#max = max;
  }

  /**
   * Counts one more entry of a root. Beyond `max`, all roots drop their entries first, including roots that are no longer used.
   */
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
 * Caches which policies cover a request by the values that decide it, so that they are found once for a key, a model and a
 * target. A cached result costs one look-up per value.
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
 * Indexes policies. The first request of its kind evaluates the policies that name one of its values; later ones use its cached
 * result, within the budget.
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

/** Returns the policies of a workspace and of its organisation; undefined if there are none. */
export type PoliciesOf = (workspace: string, organisation: string) => CompiledPolicies | undefined;

/** Returns the same policy, whose conditions name providers by id, because requests contain only ids. */
const withProviderIds = (policy: LimitPolicy, toId: (provider: string) => string): LimitPolicy => ({
  ...policy,
  conditions: policy.conditions.map((condition) =>
    condition.key === 'provider'
      ? { ...condition, values: condition.values.map(toId), excludes: condition.excludes.map(toId) }
      : condition,
  ),
});

/**
 * Indexes each list of policies once. All lists share one limit for their caches. `toProviderId` returns the id of the provider
 * with a name.
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
