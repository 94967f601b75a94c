import { toBuffer } from '../../../sdk/to-buffer.ts';
import { joinedLines } from '../../store/kept-texts.ts';
import { type NoteValues, noteOfValues } from '../record/note-values.ts';
import { type NewRecord, toRecord } from '../record/to-record.ts';

/** Bodies that are kept, sealed as JSON, by the id of their request. */
export type SealedBodies = ReadonlyMap<string, string>;

/** Records are made of so many requests at a time: of all at once, most would outlive what V8 collects cheaply. */
const recordsAtOnce = 100;

/** Lines with the JSON of `NoteValues`, as they are handed over: with the bodies, if there are any, in a last line. */
export const workText = (lines: Uint8Array, bodies: SealedBodies): Uint8Array =>
  bodies.size === 0 ? lines : joinedLines([lines, Buffer.from(JSON.stringify(Object.fromEntries(bodies)))]);

/** Each line alone. */
export const linesOf = (lines: Uint8Array): readonly Uint8Array[] =>
  toBuffer(lines)
    .toString()
    .split('\n')
    .map((line) => Buffer.from(line));

/** Those of one line. */
export const bodiesOf = (line: Uint8Array, bodies: SealedBodies): SealedBodies => {
  const [id]: NoteValues = JSON.parse(toBuffer(line).toString());
  const own = bodies.get(id);
  return new Map(own === undefined ? [] : [[id, own]]);
};

const withBodies = ({ record, detail }: NewRecord, bodies: string | undefined): NewRecord =>
  bodies === undefined
    ? { record, detail }
    : { record: { ...record, bytes: record.bytes + bodies.length }, detail: { ...detail, bodies } };

/** The records of the requests that were handed over, some at a time. */
export function* readWork(work: Uint8Array): Generator<readonly NewRecord[]> {
  const lines = toBuffer(work).toString().split('\n');
  // Requests are lists.
  const last = lines.at(-1)?.startsWith('{') === true ? lines.pop() : undefined;
  const bodies: { readonly [id: string]: string } = JSON.parse(last ?? '{}');
  for (let at = 0; at < lines.length; at += recordsAtOnce)
    yield lines.slice(at, at + recordsAtOnce).map((line) => {
      const record = toRecord(noteOfValues(JSON.parse(line)));
      return withBodies(record, bodies[record.record.id]);
    });
}
