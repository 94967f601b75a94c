import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { valueAt } from '../../../../schema/json/look-up.ts';
import { fromPointer, type JsonPointer, rootPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { keyVariable } from '../../../../schema/text/key-variable.ts';
import type { FlagForm, MemberFlags } from '../../kernel/resource/api-command.ts';
import { type ApiProblem, RefusalError } from '../client/ask-gateway.ts';
import type { ControlServices, LocatedDiagnostic } from '../command-line/services.ts';
import { asCommands } from './commands-in-hints.ts';
import { toFlagPath } from './flag-values.ts';
import { printable } from './texts.ts';

/** A file of a request that was read. */
export interface FileOfBody {
  readonly name: string;
  readonly text: string;
  /** The pointer of its value in the body. */
  readonly prefix: JsonPointer;
  /** Absent if the file is not JSON. */
  readonly value?: Json;
  /** Its errors as JSON; absent if it has none. */
  readonly diagnostics?: readonly Diagnostic[];
  /** Finds the place of a finding in the text; absent for a file without places. */
  readonly locate?: (diagnostic: LocatedDiagnostic) => Diagnostic;
}

/** The file and the flags from which the members of a request came, or could have come. */
export interface BodyOrigin {
  /** The file from which the body, or a member of it, was read. */
  readonly file: FileOfBody | undefined;
  /** The flags of the command. */
  readonly flags: MemberFlags;
  /** The names of the flags that were given. */
  readonly given: ReadonlySet<string>;
  /** The file of a new record, as an argument of the command that changes one. */
  readonly again?: string | undefined;
}

/** The origin of requests whose members come from neither a file nor flags. */
export const noOrigin: BodyOrigin = { file: undefined, flags: {}, given: new Set() };

const isAt = (pointer: JsonPointer, place: JsonPointer): boolean =>
  pointer === place || pointer.startsWith(`${place}/`);

/** Finds the flag that sets the member which a problem is about. */
const findFlag = ({ in: part, pointer }: ApiProblem, { flags }: BodyOrigin): string | undefined =>
  Object.entries(flags).find(([flag, spec]) => {
    const places = [toFlagPath(flag, spec), ...(spec.about ?? []).map((member) => [member])];
    return (spec.in ?? 'body') === part && places.some((place) => isAt(pointer, toPointer(place)));
  })?.[0];

/** The sentence of the gateway's validator for a missing member, which is a problem of the object that lacks it. */
const missing = /^The (?:member|query parameter) "(\w+)" is missing\.$/;

/** Checks whether a place is in a member of the file. The request may also have members that are not from the file. */
const isThere = ({ value }: FileOfBody, pointer: JsonPointer): boolean =>
  value === undefined || valueAt(value, fromPointer(pointer).slice(0, 1)) !== undefined;

/** Finds the flag that sets a missing member of the body or of the query. */
const missingFlag = ({ in: part, pointer, message }: ApiProblem, { flags }: BodyOrigin): string | undefined => {
  const [, member] = missing.exec(message) ?? [];
  if (member === undefined || pointer !== rootPointer) return undefined;
  return Object.entries(flags).find(
    ([flag, spec]) => (spec.in ?? 'body') === part && toFlagPath(flag, spec).join('/') === member,
  )?.[0];
};

/** Checks whether a member is missing that no flag sets. */
export const isIncomplete = (error: unknown, origin: BodyOrigin): boolean =>
  error instanceof RefusalError &&
  error.refusal.problems.some((problem) => missing.test(problem.message) && missingFlag(problem, origin) === undefined);

/** The gateway's sentence for a missing credential, and its hints for one with a single key and for one to be sent again. */
const missingCredential = /^The provider ([\w-]+) needs a credential\.$/;
const keyHintOfApi = 'Add "credential": { "api_key": … }.';
const resendHintOfApi = 'Send the credential itself together with this change.';

/** Replaces the hint for a credential by the command's flag, if it has one, because a credential does not belong in a file. */
const withKeyFlag = ({ message, hint }: ApiProblem, { flags }: BodyOrigin): string => {
  if (flags['key-env'] === undefined) return hint;
  const [, provider] = missingCredential.exec(message) ?? [];
  if (provider !== undefined && hint === keyHintOfApi)
    return `Add --key-env ${keyVariable(provider)}: it names the environment variable that has the key.`;
  return hint === resendHintOfApi ? 'Give the credential together with this change: --key-env NAME.' : hint;
};

/** Converts times, which are seconds in the API, to RFC 3339 as on the command line. */
const withTimes = (text: string): string =>
  text.replaceAll(/\b\d{10}\b/g, (seconds) => new Date(Number(seconds) * 1000).toISOString().replace('.000', ''));

/** The longest units first. */
const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/** Converts durations, which are milliseconds in the API, to minutes, hours or days as on the command line. */
const withDurations = (text: string): string =>
  text.replaceAll(/\bwhole milliseconds, |\b(\d+)(?: milliseconds\b|\b)/g, (found, count?: string) => {
    if (count === undefined) return '';
    const [unit, ms] = units.find(([, each]) => Number(count) % each === 0) ?? [];
    return ms === undefined ? found : `${Number(count) / ms}${unit}`;
  });

const valuesAsWritten: { readonly [Name in FlagForm]?: (text: string) => string } = {
  time: withTimes,
  since: withTimes,
  duration: withDurations,
};

/**
 * Replaces the names of members by the flags that set them, but only names in lower case with an underscore, which cannot be
 * other words.
 */
const withFlags = (text: string, { flags }: BodyOrigin): string =>
  text.replaceAll(/(?<!["\w/.])[a-z]+(?:_[a-z]+)+(?!["\w/])/g, (member) => {
    const [flag] = Object.entries(flags).find(([name, spec]) => toFlagPath(name, spec).join('/') === member) ?? [];
    return flag === undefined ? member : `--${flag}`;
  });

/** Finds the place of a problem in the file; undefined if it is not about the file. */
const inFile = (problem: ApiProblem, origin: BodyOrigin): JsonPointer | undefined => {
  const { file, given } = origin;
  const isOfFlag = given.has(findFlag(problem, origin) ?? '');
  return file !== undefined && problem.in === 'body' && !isOfFlag && isAt(problem.pointer, file.prefix)
    ? (problem.pointer.slice(file.prefix.length) as JsonPointer)
    : undefined;
};

const inSentence = (problem: ApiProblem, origin: BodyOrigin): string => {
  const { pointer, severity, message } = problem;
  const hint = withKeyFlag(problem, origin);
  const wanted = missingFlag(problem, origin);
  if (wanted !== undefined) return `gw: --${wanted} is missing. ${printable(hint)}`.trimEnd().concat('\n');
  const flag = findFlag(problem, origin);
  const isOfText = origin.file !== undefined && inFile(problem, origin) === rootPointer;
  const member = isOfText ? origin.file.name : fromPointer(pointer).join('.');
  const place = flag === undefined ? printable(member) : `--${flag}`;
  const isMissing = flag === 'key-env' && missingCredential.test(message);
  const sentences = [printable(message), printable(hint)].filter((part) => part !== '').join(' ');
  const detail = withFlags(asCommands(sentences), origin);
  const { form = 'text' } = origin.flags[flag ?? ''] ?? {};
  const words = [place === '' || isMissing ? '' : `${place}:`, valuesAsWritten[form]?.(detail) ?? detail];
  return `gw: ${severity === 'warning' ? 'Warning: ' : ''}${words.filter((part) => part !== '').join(' ')}\n`;
};

/**
 * Formats problems for people: those of the file with its lines, then each of the others as a sentence that names its flag. All
 * of the text is printable, whatever the gateway sent.
 */
export const formatProblems = (
  problems: readonly ApiProblem[],
  origin: BodyOrigin,
  { render, err: { colour } }: Pick<ControlServices, 'render' | 'err'>,
): string => {
  const { file } = origin;
  const detail = problems.map((problem) => {
    const pointer = inFile(problem, origin);
    if (file?.locate === undefined || pointer === undefined || !isThere(file, pointer))
      return { isPlaced: false, text: inSentence(problem, origin) };
    const { severity, message, code } = problem;
    const hint = withKeyFlag(problem, origin);
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
