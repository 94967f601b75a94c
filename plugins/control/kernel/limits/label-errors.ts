import {
  type DeclaredLabel,
  type DeclaredLabels,
  describeLabel,
  findLabel,
  isKnownLabel,
  labelMatcher,
  listedValues,
  ownLabels,
} from '../../../../schema/config/declared-labels.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { type PointerToken, toPointer } from '../../../../schema/json/pointer.ts';
import { suggestName } from '../../../../schema/text/closest-name.ts';
import type { ShownDiagnostic } from '../requests/diagnostic-problems.ts';
import { type Problem, problem } from '../requests/problem.ts';
import type { PolicyRow } from '../store/tables.ts';
import { type ConditionBody, type GroupBody, readLabelName } from './conditions.ts';
import { textPattern } from './limit-policy.ts';

interface LabelReaders {
  readonly conditions?: readonly ConditionBody[];
  readonly group_by?: readonly GroupBody[];
}

const nameErrors = (place: readonly PointerToken[], key: string, labels: DeclaredLabels): readonly Problem[] => {
  const name = readLabelName(key);
  if (name === undefined || isKnownLabel(labels, name)) return [];
  const names = Object.keys(labels);
  const declared = `${names.slice(0, 10).join(', ')}${names.length > 10 ? ' and others' : ''}`;
  const own = name.startsWith('_') ? ` The gateway itself gives requests ${ownLabels.join(', ')}.` : '';
  return [
    problem(
      place,
      `The gateway file declares no label ${JSON.stringify(name)}.`,
      `${suggestName(name, [...names, ...ownLabels], '')} Declared are ${declared}.${own} If the name is right, declare it under "metadata" in the gateway file, and restart the gateway.`.trimStart(),
    ),
  ];
};

/** Lists the values that a text of a policy may stand for, because labels can also be numbers and booleans. */
const readValues = (text: string): readonly Json[] => {
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  return text.trim() === '' || !Number.isFinite(Number(text)) ? [text] : [text, Number(text)];
};

/**
 * Whether a label may have a value that a text of a policy stands for. A text with `*` is checked only if the label lists its
 * values.
 */
const canMatch = (text: string, label: DeclaredLabel): boolean => {
  const listed = listedValues(label);
  if (listed !== undefined) return listed.some((value) => textPattern(text)(String(value)));
  return text.includes('*') || readValues(text).some(labelMatcher(label));
};

const valueErrors = (
  place: readonly PointerToken[],
  value: string | readonly string[] = [],
  { name, label }: { readonly name: string; readonly label: DeclaredLabel },
): readonly Problem[] => {
  const isSingle = typeof value === 'string';
  return (isSingle ? [value] : value).flatMap((text, at) =>
    canMatch(text, label)
      ? []
      : [
          problem(
            isSingle ? place : [...place, at],
            `The gateway file declares the label ${JSON.stringify(name)} as ${describeLabel(label)}, so it is never ${JSON.stringify(text.slice(0, 255))}.`,
            'Write a value that it may have, or change its declaration.',
          ),
        ],
  );
};

/**
 * Lists the labels that a policy's conditions and groups name but the gateway file does not declare, and the values that a label
 * never has.
 */
export const labelErrors = (
  { conditions = [], group_by = [] }: LabelReaders,
  labels: DeclaredLabels | undefined,
): readonly Problem[] => {
  if (labels === undefined) return [];
  const ofConditions = conditions.flatMap(({ key, value, excludes }, at) => {
    const name = readLabelName(key);
    const label = name === undefined ? undefined : findLabel(labels, name);
    if (name === undefined || label === undefined) return nameErrors(['conditions', at, 'key'], key, labels);
    return [
      ...valueErrors(['conditions', at, 'value'], value, { name, label }),
      ...valueErrors(['conditions', at, 'excludes'], excludes, { name, label }),
    ];
  });
  return [...ofConditions, ...group_by.flatMap(({ key }, at) => nameErrors(['group_by', at, 'key'], key, labels))];
};

/** The labels that only the gateway sets, on the requests that they apply to. */
const givenLabels = ownLabels.filter((name) => name !== '_user');

/** Whether a condition names certain values of a label, so that it excludes other requests on purpose. */
const namesValues = ({ value }: ConditionBody): boolean => value !== '*';

/**
 * Finds the labels that a policy groups by and that requests may lack. Requests without such a label are in none of the policy's
 * groups and are not counted.
 */
export const optionalLabels = (
  { conditions = [], group_by = [] }: LabelReaders,
  labels: DeclaredLabels = {},
): readonly ShownDiagnostic[] =>
  group_by.flatMap(({ key }, at) => {
    const name = readLabelName(key);
    if (name === undefined || conditions.some((each) => each.key === key && namesValues(each))) return [];
    const { required, enforce } = findLabel(labels, name) ?? {};
    if ((required === true && enforce === true) || givenLabels.includes(name)) return [];
    return [
      {
        ...{ code: 'optional-label', severity: 'warning', pointer: toPointer(['group_by', at, 'key']) },
        message: `Requests may lack the label ${JSON.stringify(name)}: this policy neither counts nor refuses those without it.`,
        hint: 'To refuse them, give the label "required": true and "enforce": true under "metadata" in the gateway file.',
      },
    ];
  });

/** Finds the label errors of a saved policy, which may be older than the declaration of the labels, or than a rule. */
export const savedLabelProblems = (
  row: Pick<PolicyRow, 'conditions' | 'group_by'>,
  labels: DeclaredLabels | undefined,
): readonly Pick<Problem, 'message' | 'hint'>[] => {
  const policy: LabelReaders = {
    conditions: fromJson(row.conditions) as readonly ConditionBody[],
    group_by: fromJson(row.group_by) as readonly GroupBody[],
  };
  const found = labelErrors(policy, labels);
  // A condition and a group may name the same label.
  return found.filter(({ message }, at) => found.findIndex((each) => each.message === message) === at);
};
