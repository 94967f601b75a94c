import { joinedTexts } from '../../store/kept-texts.ts';
import { noteOfValues } from '../record/note-values.ts';
import { type NewRecord, toRecord } from '../record/to-record.ts';

/** A request that is handed over to be written. */
export interface HandedOver {
  readonly id: string;
  /** The JSON of `NoteValues`, in UTF-8. */
  readonly text: Uint8Array;
  /** Sealed, as JSON; null where none are kept. */
  readonly bodies: string | null;
}

type Bodies = Readonly<Record<string, string>>;

/** Records are made of so many requests at a time: of all at once, most would outlive what V8 collects cheaply. */
const recordsAtOnce = 100;

/** Requests as one text: a line with the bodies that are kept, by the id of their request, and a line for each request. */
export const workText = (requests: readonly HandedOver[]): Uint8Array => {
  const bodies: Bodies = Object.fromEntries(
    requests.flatMap(({ id, bodies: text }) => (text === null ? [] : [[id, text] as const])),
  );
  return joinedTexts(
    requests.map(({ text }) => text),
    { before: `${JSON.stringify(bodies)}\n`, between: '\n', after: '' },
  );
};

const withBodies = ({ record, detail }: NewRecord, bodies: string | undefined): NewRecord =>
  bodies === undefined
    ? { record, detail }
    : { record: { ...record, bytes: record.bytes + bodies.length }, detail: { ...detail, bodies } };

/** The records of the requests that a text was made of, some at a time. */
export function* readWork(text: string): Generator<readonly NewRecord[]> {
  const [first = '{}', ...lines] = text.split('\n');
  const bodies: Bodies = JSON.parse(first);
  for (let at = 0; at < lines.length; at += recordsAtOnce)
    yield lines.slice(at, at + recordsAtOnce).map((line) => {
      const record = toRecord(noteOfValues(JSON.parse(line)));
      return withBodies(record, bodies[record.record.id]);
    });
}
