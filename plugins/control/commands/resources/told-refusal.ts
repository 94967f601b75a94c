import { fromPointer, type JsonPointer } from '../../../../schema/pointer.ts';
import type { ApiProblem, ApiRefusal } from '../client/api-refusal.ts';
import type { ControlServices, LocatedFinding } from '../services.ts';
import { printable } from '../show/printable.ts';
import type { FileOfBody } from './read-body-file.ts';

export interface RefusedRequest {
  /** The file that the body, or a member of it, was read from. */
  readonly file: FileOfBody | undefined;
  /** The members of the body that flags gave. */
  readonly ofFlags: ReadonlySet<string>;
  readonly hasKey: boolean;
}

/** Where a problem of the body is in the file; undefined if it is not about the file. */
const inFile = ({ in: part, pointer }: ApiProblem, { file, ofFlags }: RefusedRequest): JsonPointer | undefined => {
  if (file === undefined || part !== 'body') return undefined;
  const [first = ''] = fromPointer(pointer);
  if (ofFlags.has(first)) return undefined;
  const isBelow = pointer === file.prefix || pointer.startsWith(`${file.prefix}/`);
  return isBelow ? (pointer.slice(file.prefix.length) as JsonPointer) : undefined;
};

const sentence = ({ message, hint }: { readonly message: string; readonly hint?: string }): string =>
  printable([message, hint ?? ''].filter((part) => part !== '').join(' '));

/** Findings about the file, each with the line that it is about. */
export const toldFindings = (
  findings: readonly LocatedFinding[],
  file: FileOfBody | undefined,
  { render, err: { colour } }: Pick<ControlServices, 'render' | 'err'>,
): string =>
  findings
    .map(({ hint, ...finding }) => {
      const shown = {
        ...finding,
        code: printable(finding.code),
        message: printable(finding.message),
        ...(hint !== undefined && { hint: printable(hint) }),
      };
      if (file === undefined || !('locate' in file.read)) return `${shown.severity}: ${sentence(shown)}\n`;
      return `${render(file.read.locate(shown), { text: file.text, colour })}\n\n`;
    })
    .join('');

const withPlace = (problem: ApiProblem): string => {
  const place = fromPointer(problem.pointer).join('.');
  return `gw: ${place === '' ? '' : `${printable(place)}: `}${sentence(problem)}\n`;
};

/**
 * What the gateway refused, for people: what is wrong in the file with its line, everything else as a sentence. All of it is
 * printable, whatever the gateway sent.
 */
export const toldRefusal = (
  { status, message, problems, findings }: ApiRefusal,
  request: RefusedRequest,
  services: Pick<ControlServices, 'render' | 'err'>,
): string => {
  const placed = problems.map((problem) => ({ problem, pointer: inFile(problem, request) }));
  // The findings of a config say more of its places than the problems of the request.
  const located =
    findings.length > 0
      ? findings
      : placed.flatMap(({ problem: { message: fact, hint, code }, pointer }) =>
          pointer === undefined
            ? []
            : [{ code: code || 'invalid-input', severity: 'error' as const, message: fact, hint, pointer }],
        );
  const others = placed.flatMap(({ problem, pointer }) => (pointer === undefined ? [problem] : []));
  const told = toldFindings(located, request.file, services) + others.map(withPlace).join('');
  if (told !== '') return told;
  const advice =
    status === 401 ? ` ${request.hasKey ? 'Correct' : 'Set'} GW_API_KEY, or name a profile with --profile.` : '';
  return `gw: ${printable(message)}${advice}\n`;
};
