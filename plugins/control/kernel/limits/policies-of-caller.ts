import { type LimitPolicy, type PolicyCondition, textPattern } from './limit-policy.ts';

/** The facts that policies read of the caller, which no request of theirs can change. */
export interface CallerFacts {
  /** The id of its key, after those of the keys whose limits it shares. */
  readonly keys: readonly string[];
  /** The labels that its key has. */
  readonly labels: Readonly<Record<string, string>>;
  readonly organisation: string;
  readonly workspace?: string | undefined;
}

const prefix = 'metadata.';

/** The name of the label that a key of policies reads; undefined if it reads something else. */
const findLabel = (key: string): string | undefined => (key.startsWith(prefix) ? key.slice(prefix.length) : undefined);

/** The names of the labels that policies read, in their conditions and to group by. */
export const labelsRead = (policies: readonly LimitPolicy[]): ReadonlySet<string> =>
  new Set(
    policies
      .flatMap(({ conditions, groupBy }) => [...conditions.map(({ key }) => key), ...groupBy])
      .flatMap((key) => findLabel(key) ?? []),
  );

/** The values that a caller has for a key of policies; undefined where each of its requests may have others. */
const findValues = (
  key: string,
  { keys, labels, organisation, workspace }: CallerFacts,
): readonly string[] | undefined => {
  if (key === 'api_key') return keys;
  if (key === 'organisation_id') return [organisation];
  if (key === 'workspace_id') return workspace === undefined ? undefined : [workspace];
  const label = findLabel(key);
  return label === undefined || !Object.hasOwn(labels, label) ? undefined : [labels[label] ?? ''];
};

const isAnyOf = (patterns: readonly string[], values: readonly string[]): boolean =>
  patterns.some((pattern) => values.some(textPattern(pattern)));

/** Whether requests of a caller can fulfil a condition. */
const canHold = ({ key, values, excludes }: PolicyCondition, caller: CallerFacts): boolean => {
  const known = findValues(key, caller);
  return known === undefined || (isAnyOf(values, known) && !isAnyOf(excludes, known));
};

/** Whether a policy may cover requests of a caller. */
export const mayCover = ({ conditions }: LimitPolicy, caller: CallerFacts): boolean =>
  conditions.every((condition) => canHold(condition, caller));

const isOfCaller = (key: string, { labels }: CallerFacts): boolean => {
  const label = findLabel(key);
  return key === 'api_key' || (label !== undefined && Object.hasOwn(labels, label));
};

/** Whether a policy is meant for a caller: it covers requests of the caller, and names its key or one of its labels. */
export const isMeantFor = (policy: LimitPolicy, caller: CallerFacts): boolean =>
  mayCover(policy, caller) &&
  policy.conditions.some(({ key, values }) => isOfCaller(key, caller) && !values.includes('*'));

/**
 * Whether a counter of a policy is a caller's own: the policy groups by its key or a label of its own, and the counter has its
 * value. `values` are absent where the name of the counter does not report them.
 */
export const isOwnCounter = (
  policy: LimitPolicy,
  values: readonly string[] | undefined,
  caller: CallerFacts,
): boolean => {
  const own = policy.groupBy.flatMap((key, at) => (isOfCaller(key, caller) ? [{ key, at }] : []));
  if (own.length === 0 || !mayCover(policy, caller)) return false;
  return (
    values === undefined || own.every(({ key, at }) => findValues(key, caller)?.includes(values[at] ?? '') === true)
  );
};
