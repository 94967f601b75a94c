import { createHash } from 'node:crypto';
import { maxErrors, maxLineBytes, maxLines, partLimits } from '../../lines/limits.ts';
import { type ReadLine, readLines } from '../../lines/read-lines.ts';
import { type LineError, validateLine } from '../../lines/validate-line.ts';
import type { NewPart } from '../records/batch-store.ts';

/** What an input file has: lines in parts, or what is wrong with it. */
export type CheckedFile =
  | { readonly kind: 'lines'; readonly lines: number; readonly parts: readonly NewPart[] }
  | { readonly kind: 'errors'; readonly errors: readonly LineError[] };

/** Puts lines into parts, one after another. */
const createParts = () => {
  const parts: NewPart[] = [];
  return {
    parts,
    add({ number, from, to }: ReadLine): void {
      const last = parts.at(-1);
      const fits = last !== undefined && last.lines < partLimits.lines && to - last.from_byte <= partLimits.bytes;
      if (fits) parts[parts.length - 1] = { ...last, to_byte: to, lines: last.lines + 1 };
      else parts.push({ number: parts.length, from_byte: from, to_byte: to, first_line: number, lines: 1 });
    },
  };
};

const ofFile = (code: string, message: string): LineError => ({ code, message, param: null, line: null });

/** Validates each line of an input file; neither the file nor its texts are in memory. */
export const checkFile = async (bytes: AsyncIterable<Uint8Array>, endpoint: string): Promise<CheckedFile> => {
  const errors: LineError[] = [];
  const ids = new Set<string>();
  const { parts, add } = createParts();
  let lines = 0;

  const validate = (line: ReadLine): void => {
    const validated = validateLine(line.bytes, endpoint);
    if ('fault' in validated) {
      errors.push({ ...validated.fault, line: line.number });
      return;
    }
    const digest = createHash('sha256').update(JSON.stringify(validated.customId)).digest('base64').slice(0, 24);
    if (ids.has(digest))
      errors.push({
        ...{ code: 'duplicate_custom_id', message: 'Another line before has the same custom_id.' },
        ...{ param: 'custom_id', line: line.number },
      });
    ids.add(digest);
    add(line);
  };

  for await (const line of readLines(bytes, { most: maxLineBytes })) {
    lines += 1;
    if (lines > maxLines) {
      errors.push(ofFile('too_many_lines', `The file has more than ${maxLines} lines.`));
      break;
    }
    validate(line);
    if (errors.length >= maxErrors) break;
  }
  if (lines === 0) errors.push(ofFile('empty_file', 'The file has no lines.'));
  return errors.length > 0 ? { kind: 'errors', errors } : { kind: 'lines', lines, parts };
};
