import { fromPointer, type JsonPointer } from '../../../../schema/pointer.ts';
import type { ApiProblem } from '../client/api-problem.ts';
import type { ControlServices } from '../services.ts';
import { printable } from '../show/printable.ts';
import type { FileOfBody } from './read-body-file.ts';

/** Where the body of a request came from. */
export interface BodyOrigin {
  /** The file that the body, or a member of it, was read from. */
  readonly file: FileOfBody | undefined;
  /** The members that flags gave. */
  readonly ofFlags: ReadonlySet<string>;
}

/** Where a problem is in the file; undefined if it is not about the file. */
const inFile = ({ in: part, pointer }: ApiProblem, { file, ofFlags }: BodyOrigin): JsonPointer | undefined => {
  if (file === undefined || part !== 'body') return undefined;
  const [first = ''] = fromPointer(pointer);
  if (ofFlags.has(first)) return undefined;
  const isBelow = pointer === file.prefix || pointer.startsWith(`${file.prefix}/`);
  return isBelow ? (pointer.slice(file.prefix.length) as JsonPointer) : undefined;
};

const inSentence = ({ pointer, severity, message, hint }: ApiProblem): string => {
  const place = printable(fromPointer(pointer).join('.'));
  const words = [place === '' ? '' : `${place}:`, printable(message), printable(hint)];
  return `gw: ${severity === 'warning' ? 'Warning: ' : ''}${words.filter((part) => part !== '').join(' ')}\n`;
};

/**
 * Problems for people: those of the file with its lines, then each other one in a sentence. All of it is printable, whatever
 * the gateway sent.
 */
export const toldProblems = (
  problems: readonly ApiProblem[],
  origin: BodyOrigin,
  { render, err: { colour } }: Pick<ControlServices, 'render' | 'err'>,
): string => {
  const { file } = origin;
  const told = problems.map((problem) => {
    const pointer = inFile(problem, origin);
    if (file === undefined || pointer === undefined || !('locate' in file.read))
      return { isPlaced: false, text: inSentence(problem) };
    const { severity, message, hint, code } = problem;
    const finding = file.read.locate({
      severity,
      pointer,
      code: printable(code) || 'invalid-input',
      message: printable(message),
      ...(hint !== '' && { hint: printable(hint) }),
    });
    return { isPlaced: true, text: `${render(finding, { text: file.text, colour })}\n\n` };
  });
  return [...told.filter(({ isPlaced }) => isPlaced), ...told.filter(({ isPlaced }) => !isPlaced)]
    .map(({ text }) => text)
    .join('');
};
