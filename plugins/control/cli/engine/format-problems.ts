import { fromPointer, type JsonPointer, rootPointer, toPointer } from '../../../../schema/json/pointer.ts';
import type { MemberFlag, MemberFlags } from '../../kernel/resource/api-command.ts';
import type { ApiProblem } from '../client/api-problem.ts';
import type { ControlServices } from '../command-line/services.ts';
import { printable } from '../show/printable.ts';
import { asCommands } from './as-commands.ts';
import { toFlagPath } from './flag-values.ts';
import type { FileOfBody } from './read-body-file.ts';

/** Where the members of a request came from, or could have come from. */
export interface BodyOrigin {
  /** The file that the body, or a member of it, was read from. */
  readonly file: FileOfBody | undefined;
  /** The flags of the command. */
  readonly flags: MemberFlags;
  /** The names of those that were given. */
  readonly given: ReadonlySet<string>;
}

const isAt = (pointer: JsonPointer, place: JsonPointer): boolean =>
  pointer === place || pointer.startsWith(`${place}/`);

/** Where a flag gives something. */
const isGivenBy = (flag: string, spec: MemberFlag, { in: part, pointer }: ApiProblem): boolean =>
  (spec.in ?? 'body') === part &&
  [toPointer([...toFlagPath(flag, spec)]), ...(spec.about ?? []).map((member) => toPointer([member]))].some((place) =>
    isAt(pointer, place),
  );

/** The flag that gives what a problem is about. */
const findFlag = (problem: ApiProblem, { flags }: BodyOrigin): string | undefined =>
  Object.entries(flags).find(([flag, spec]) => isGivenBy(flag, spec, problem))?.[0];

/** A missing member is a problem of what it is missing in. It is a sentence of the gateway's validator. */
const missing = /^The member "(\w+)" is missing\.$/;

/** The flag that gives a missing member of the body. */
const missingFlag = ({ in: part, pointer, message }: ApiProblem, { flags }: BodyOrigin): string | undefined => {
  const [, member] = missing.exec(message) ?? [];
  if (member === undefined || part !== 'body' || pointer !== rootPointer) return undefined;
  return Object.entries(flags).find(
    ([flag, spec]) => (spec.in ?? 'body') === 'body' && toFlagPath(flag, spec).join('/') === member,
  )?.[0];
};

/** Times are seconds on the wire, and are written as RFC 3339 does on a command line. */
const withTimes = (text: string): string =>
  text.replaceAll(/\b\d{10}\b/g, (seconds) => new Date(Number(seconds) * 1000).toISOString().replace('.000', ''));

/** Where a problem is in the file; undefined if it is not about the file. */
const inFile = (problem: ApiProblem, origin: BodyOrigin): JsonPointer | undefined => {
  const { file, given } = origin;
  const { in: part, pointer } = problem;
  if (file === undefined || part !== 'body') return undefined;
  const flag = findFlag(problem, origin);
  if (flag !== undefined && given.has(flag)) return undefined;
  return isAt(pointer, file.prefix) ? (pointer.slice(file.prefix.length) as JsonPointer) : undefined;
};

const inSentence = (problem: ApiProblem, origin: BodyOrigin): string => {
  const { pointer, severity, message, hint } = problem;
  const wanted = missingFlag(problem, origin);
  if (wanted !== undefined) return `gw: --${wanted} is missing. ${printable(hint)}`.trimEnd().concat('\n');
  const flag = findFlag(problem, origin);
  const isOfText = origin.file !== undefined && inFile(problem, origin) === rootPointer;
  const member = isOfText ? origin.file.name : fromPointer(pointer).join('.');
  const place = flag === undefined ? printable(member) : `--${flag}`;
  const detail = asCommands([printable(message), printable(hint)].filter((part) => part !== '').join(' '));
  const isTime = flag !== undefined && origin.flags[flag]?.form === 'time';
  const words = [place === '' ? '' : `${place}:`, isTime ? withTimes(detail) : detail];
  return `gw: ${severity === 'warning' ? 'Warning: ' : ''}${words.filter((part) => part !== '').join(' ')}\n`;
};

/**
 * Problems for people: those of the file with its lines, then each other one in a sentence, which names the flag that it is
 * about. All of it is printable, whatever the gateway sent.
 */
export const formatProblems = (
  problems: readonly ApiProblem[],
  origin: BodyOrigin,
  { render, err: { colour } }: Pick<ControlServices, 'render' | 'err'>,
): string => {
  const { file } = origin;
  const detail = problems.map((problem) => {
    const pointer = inFile(problem, origin);
    if (file?.locate === undefined || pointer === undefined)
      return { isPlaced: false, text: inSentence(problem, origin) };
    const { severity, message, hint, code } = problem;
    const diagnostic = file.locate({
      severity,
      pointer,
      code: printable(code) || 'invalid-input',
      message: printable(message),
      ...(hint !== '' && { hint: asCommands(printable(hint)) }),
    });
    return { isPlaced: true, text: `${render(diagnostic, { text: file.text, colour })}\n\n` };
  });
  return [...detail.filter(({ isPlaced }) => isPlaced), ...detail.filter(({ isPlaced }) => !isPlaced)]
    .map(({ text }) => text)
    .join('');
};
