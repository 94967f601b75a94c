import {
  type DeclaredLabel,
  type DeclaredLabels,
  describeLabel,
  labelMatcher,
} from '../../schema/config/declared-labels.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../schema/json/pointer.ts';
import { regexProblem } from '../schema-errors/regex-problem.ts';
import type { SavedProblem } from './check-saved.ts';

interface Fault {
  readonly member: string;
  readonly message: string;
  readonly hint: string;
}

const crossed = (label: DeclaredLabel, min: 'minLength' | 'minimum', max: 'maxLength' | 'maximum'): Fault[] => {
  const [from, to] = [label[min], label[max]];
  return from !== undefined && to !== undefined && from > to
    ? [{ member: min, message: `"${min}" is above "${max}", so no value fits.`, hint: `Write at most ${to}.` }]
    : [];
};

const outOfPlace = (label: DeclaredLabel): readonly Fault[] => {
  const { enum: values, const: only, ...rest } = label;
  const fits = labelMatcher(rest);
  const listed = [...(values ?? []).map((value) => ({ member: 'enum', value })), { member: 'const', value: only }];
  return listed.flatMap(({ member, value }) =>
    value === undefined || fits(value)
      ? []
      : [
          {
            member,
            message: `"${member}" has the value ${JSON.stringify(value)}, but the label must be ${describeLabel(rest)}.`,
            hint: 'Correct the value, or the members next to it.',
          },
        ],
  );
};

const findFaults = (label: DeclaredLabel): readonly Fault[] => {
  const why = label.pattern === undefined ? undefined : regexProblem(label.pattern);
  if (why !== undefined)
    return [{ member: 'pattern', message: `This is not a valid pattern: ${why}.`, hint: 'Use RE2 syntax.' }];
  return [
    ...(label.enum?.length === 0
      ? [{ member: 'enum', message: 'The list is empty, so no value fits.', hint: 'Write the values.' }]
      : []),
    ...crossed(label, 'minLength', 'maxLength'),
    ...crossed(label, 'minimum', 'maximum'),
    ...outOfPlace(label),
    ...(label.required === true && label.enforce !== true
      ? [
          {
            member: 'required',
            message: '"required" has no effect without "enforce".',
            hint: 'Add "enforce": true, or remove it.',
          },
        ]
      : []),
  ];
};

const findNameFault = (name: string, pointer: JsonPointer): readonly SavedProblem[] =>
  name !== '' && name === name.trim() && !name.includes('.')
    ? []
    : [
        {
          code: 'invalid-label',
          pointer,
          message: `No condition can name the label ${JSON.stringify(name)}: a path has names between dots.`,
          hint: 'Write a name without dots, and without blanks at its ends.',
        },
      ];

/** Reports labels of the gateway file whose declaration fits no value, or that no condition can name. */
export const checkLabels = (labels: DeclaredLabels): readonly SavedProblem[] =>
  Object.entries(labels).flatMap(([name, label]) => {
    const at = childPointer(rootPointer, 'metadata', name);
    const faults = findFaults(label).map(
      ({ member, message, hint }): SavedProblem => ({
        ...{ code: 'invalid-label', pointer: childPointer(at, member) },
        message: `The label "${name}": ${message}`,
        hint,
      }),
    );
    return [...findNameFault(name, at), ...faults];
  });
