import type { Diagnostic, Severity } from '../../schema/errors/diagnostic.ts';
import { disputed } from './disputed.ts';
import type { MistakeClass, MistakeEntry } from './mistake-entry.ts';

/** An entry, and what a check found in it. */
export interface Outcome {
  readonly entry: MistakeEntry;
  readonly findings: readonly Diagnostic[];
}

const severities: Readonly<Record<MistakeClass, Severity | undefined>> = {
  'must be error': 'error',
  'should be warning': 'warning',
  'must be accepted': undefined,
};

export const mistakeClasses: readonly MistakeClass[] = ['must be error', 'should be warning', 'must be accepted'];

const hasSeverity = ({ entry, findings }: Outcome): readonly Diagnostic[] =>
  findings.filter(({ severity }) => severity === severities[entry.class]);

/** Returns the findings with the severity that the entry expects, on one of its lines. */
const findAtLine = (outcome: Outcome): readonly Diagnostic[] =>
  hasSeverity(outcome).filter(({ span }) => outcome.entry.line.includes(span.line));

/** Whether nothing is reported and that is acceptable. */
const isSilentByRight = ({ entry, findings }: Outcome): boolean => entry.either === true && findings.length === 0;

/** Whether there is a finding that the config's author would call wrong: an error for an entry that must not be one. */
export const isWronglyReported = ({ entry, findings }: Outcome): boolean =>
  entry.class !== 'must be error' && findings.some(({ severity }) => severity === 'error');

const isAccepted = (outcome: Outcome): boolean =>
  outcome.entry.class === 'must be accepted' && !isWronglyReported(outcome);

export const isDisputed = ({ entry }: Outcome): boolean => disputed[entry.name] !== undefined;

export const isFound = (outcome: Outcome): boolean =>
  isAccepted(outcome) || isSilentByRight(outcome) || hasSeverity(outcome).length > 0;

export const isAtLine = (outcome: Outcome): boolean =>
  isAccepted(outcome) || isSilentByRight(outcome) || findAtLine(outcome).length > 0;

/** Whether one of the findings on the right line has a hint. */
export const hasHint = (outcome: Outcome): boolean =>
  isAccepted(outcome) ||
  isSilentByRight(outcome) ||
  findAtLine(outcome).some(({ hint = '' }) => hint !== '' && !/^Run |^Correct/.test(hint));

/** The names that a finding should mention: texts in double quotes, and operators. */
const wantedNames = ({ wanted }: MistakeEntry): readonly string[] =>
  [...wanted.matchAll(/"([^"]+)"|(\$[a-z]+\b)/gi)].flatMap(([, quoted, operator]) => quoted ?? operator ?? []);

/** Returns the wanted names that no finding on the right line mentions. */
export const missingNames = (outcome: Outcome): readonly string[] => {
  const said = findAtLine(outcome).map(({ message, hint = '' }) => `${message} ${hint}`);
  if (said.length === 0) return [];
  return wantedNames(outcome.entry).filter((name) => !said.some((each) => each.includes(name)));
};
