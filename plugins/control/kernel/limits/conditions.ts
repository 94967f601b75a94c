import type { PointerToken } from '../../../../schema/json/pointer.ts';
import { suggestName } from '../../../../schema/text/closest-name.ts';
import { type Problem, problem } from '../requests/problem.ts';
import { type LimitPolicy, type PolicyCondition, textPattern } from './limit-policy.ts';

/** A condition in a request body: `*` at the beginning or the end of a text stands for any text. */
export interface ConditionBody {
  readonly key: string;
  readonly value: string | readonly string[];
  readonly excludes?: string | readonly string[];
}

/** A key that requests are grouped by, in a request body. */
export interface GroupBody {
  readonly key: string;
}

/** The keys of conditions and of `group_by`, besides labels. */
export const policyKeyNames = [
  'api_key',
  'virtual_key',
  'provider',
  'config',
  'prompt',
  'model',
  'endpoint_type',
  'workspace_id',
  'organisation_id',
] as const;

const metadata = 'metadata.';

/** The maximum length of a label's name, in characters. */
const longestLabel = 128;

const listed = `${policyKeyNames.join(', ')}, or metadata.NAME for a label`;

export const conditionsSchema = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  description: 'The requests that the policy covers: those that meet all of these conditions.',
  items: {
    type: 'object',
    required: ['key', 'value'],
    properties: {
      key: { type: 'string', minLength: 1, maxLength: 255, description: 'api_key, model, metadata.NAME and so on.' },
      value: {
        anyOf: [
          { type: 'string', minLength: 1, maxLength: 1024 },
          { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'string', minLength: 1, maxLength: 1024 } },
        ],
        description: 'One of these values. "*" at an end matches any text, and "*" alone any value.',
      },
      excludes: {
        anyOf: [
          { type: 'string', minLength: 1, maxLength: 1024 },
          { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'string', minLength: 1, maxLength: 1024 } },
        ],
        description: 'None of these values, which are written in the same way.',
      },
    },
  },
} as const;

export const groupBySchema = {
  type: 'array',
  minItems: 1,
  maxItems: 20,
  description: 'Each combination of values of these keys is counted separately.',
  items: {
    type: 'object',
    required: ['key'],
    properties: { key: { type: 'string', minLength: 1, maxLength: 255 } },
  },
} as const;

const keyErrors = (place: readonly PointerToken[], key: string): readonly Problem[] => {
  if ((policyKeyNames as readonly string[]).includes(key)) return [];
  if (key.startsWith(metadata)) {
    const { length } = key.slice(metadata.length);
    if (length > 0 && length <= longestLabel) return [];
    return [
      problem(
        place,
        'The name of a label is empty or too long.',
        `Write metadata. followed by the name of a label, which has 1 to ${longestLabel} characters.`,
      ),
    ];
  }
  const hint = `${suggestName(key, policyKeyNames, '')} The keys are ${listed}.`.trimStart();
  return [problem(place, `Policies do not support the key ${JSON.stringify(key)}.`, hint)];
};

const toList = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

const wildcardErrors = (place: readonly PointerToken[], value: string | readonly string[] = []): readonly Problem[] =>
  toList(value).flatMap((each, at) =>
    /^(?:\*|\*?[^*]+\*?)$/.test(each)
      ? []
      : [
          problem(
            typeof value === 'string' ? place : [...place, at],
            `"*" is in the middle of ${JSON.stringify(each.slice(0, 255))}.`,
            'Write "*" at the beginning or at the end, where it matches any text.',
          ),
        ],
  );

/**
 * Lists the errors of conditions that their schema cannot express. The records that they name are not looked up, so that a caller
 * learns nothing about the records of others.
 */
export const conditionErrors = (conditions: readonly ConditionBody[]): readonly Problem[] =>
  conditions.flatMap(({ key, value, excludes }, at) => [
    ...keyErrors(['conditions', at, 'key'], key),
    ...wildcardErrors(['conditions', at, 'value'], value),
    ...wildcardErrors(['conditions', at, 'excludes'], excludes),
  ]);

export const groupErrors = (groups: readonly GroupBody[]): readonly Problem[] =>
  groups.flatMap(({ key }, at) => [
    ...keyErrors(['group_by', at, 'key'], key),
    ...(groups.findIndex((other) => other.key === key) === at
      ? []
      : [problem(['group_by', at, 'key'], `The key "${key}" is repeated.`, 'Name each key once.')]),
  ]);

/** Converts a condition to the form that requests are checked against. */
export const toPolicyCondition = ({ key, value, excludes }: ConditionBody): PolicyCondition => ({
  key,
  values: toList(value),
  excludes: toList(excludes),
});

/** The facts about the caller that policies read. A request cannot change them. */
export interface CallerFacts {
  /** The id of its key, after the ids of the keys whose limits it shares. */
  readonly keys: readonly string[];
  /** The labels of its key. */
  readonly labels: Readonly<Record<string, string>>;
  readonly organisation: string;
  readonly workspace?: string | undefined;
}

/** Returns the name of the label that a key of policies reads; undefined if it reads something else. */
export const readLabelName = (key: string): string | undefined =>
  key.startsWith(metadata) ? key.slice(metadata.length) : undefined;

/** Returns the names of the labels that policies read, in conditions and in groups. */
export const labelsRead = (policies: readonly LimitPolicy[]): ReadonlySet<string> =>
  new Set(
    policies
      .flatMap(({ conditions, groupBy }) => [...conditions.map(({ key }) => key), ...groupBy])
      .flatMap((key) => readLabelName(key) ?? []),
  );

/** Returns the values that a caller has for a key of policies; undefined if they may differ between requests. */
const findValues = (
  key: string,
  { keys, labels, organisation, workspace }: CallerFacts,
): readonly string[] | undefined => {
  if (key === 'api_key') return keys;
  if (key === 'organisation_id') return [organisation];
  if (key === 'workspace_id') return workspace === undefined ? undefined : [workspace];
  const label = readLabelName(key);
  return label === undefined || !Object.hasOwn(labels, label) ? undefined : [labels[label] ?? ''];
};

const isAnyOf = (patterns: readonly string[], values: readonly string[]): boolean =>
  patterns.some((pattern) => values.some(textPattern(pattern)));

/** Whether requests of a caller can meet a condition. */
const canHold = ({ key, values, excludes }: PolicyCondition, caller: CallerFacts): boolean => {
  const known = findValues(key, caller);
  return known === undefined || (isAnyOf(values, known) && !isAnyOf(excludes, known));
};

/** Whether a policy may cover requests of a caller. */
export const mayCover = ({ conditions }: LimitPolicy, caller: CallerFacts): boolean =>
  conditions.every((condition) => canHold(condition, caller));

const isOfCaller = (key: string, { labels }: CallerFacts): boolean => {
  const label = readLabelName(key);
  return key === 'api_key' || (label !== undefined && Object.hasOwn(labels, label));
};

/**
 * Whether a policy is meant for a caller: it may cover the caller's requests, and names the caller's key or one of its labels.
 */
export const isMeantFor = (policy: LimitPolicy, caller: CallerFacts): boolean =>
  mayCover(policy, caller) &&
  policy.conditions.some(({ key, values }) => isOfCaller(key, caller) && !values.includes('*'));

/**
 * Whether a counter of a policy belongs to a caller: the policy groups by the caller's key or by one of its labels, and the
 * counter has the caller's value. `values` is absent if the name of the counter does not contain them.
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
