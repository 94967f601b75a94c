import type { Diagnostic, Severity } from '../../schema/errors/diagnostic.ts';
import { disputed } from './disputed.ts';
import type { MistakeClass, MistakeEntry } from './mistake-entry.ts';

/** An entry, and what a check of it found. */
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

/** Finds what is reported with the severity that the entry asks for, at one of its lines. */
const findAtLine = (outcome: Outcome): readonly Diagnostic[] =>
  hasSeverity(outcome).filter(({ span }) => outcome.entry.line.includes(span.line));

/** Whether nothing is reported where that is right, too. */
const isSilentByRight = ({ entry, findings }: Outcome): boolean => entry.either === true && findings.length === 0;

/** A finding that the author of the config would call wrong: an error where none is wanted. */
export const isWronglyReported = ({ entry, findings }: Outcome): boolean =>
  entry.class !== 'must be error' && findings.some(({ severity }) => severity === 'error');

const isAccepted = (outcome: Outcome): boolean =>
  outcome.entry.class === 'must be accepted' && !isWronglyReported(outcome);

export const isDisputed = ({ entry }: Outcome): boolean => disputed[entry.name] !== undefined;

export const isFound = (outcome: Outcome): boolean =>
  isAccepted(outcome) || isSilentByRight(outcome) || hasSeverity(outcome).length > 0;

export const isAtLine = (outcome: Outcome): boolean =>
  isAccepted(outcome) || isSilentByRight(outcome) || findAtLine(outcome).length > 0;

/** Whether one of the findings at the right line says what to do. */
export const hasHint = (outcome: Outcome): boolean =>
  isAccepted(outcome) ||
  isSilentByRight(outcome) ||
  findAtLine(outcome).some(({ hint = '' }) => hint !== '' && !/^Run |^Correct/.test(hint));

/** The names that the entry wants to be said: what stands in double quotes, and operators. */
const wantedNames = ({ wanted }: MistakeEntry): readonly string[] =>
  [...wanted.matchAll(/"([^"]+)"|(\$[a-z]+\b)/gi)].flatMap(([, quoted, operator]) => quoted ?? operator ?? []);

/** Names that are wanted, and that no finding at the right line has. */
export const missingNames = (outcome: Outcome): readonly string[] => {
  const said = findAtLine(outcome).map(({ message, hint = '' }) => `${message} ${hint}`);
  if (said.length === 0) return [];
  return wantedNames(outcome.entry).filter((name) => !said.some((each) => each.includes(name)));
};
