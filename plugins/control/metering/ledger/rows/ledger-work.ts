import { toBuffer } from '../../../../sdk/http/to-buffer.ts';
import { RecordReader } from '../../../../sdk/records/record-reader.ts';
import { RecordWriter } from '../../../../sdk/records/record-writer.ts';
import { sharedBytes } from '../../../../sdk/records/shared-bytes.ts';
import type { LedgerRecord, Named } from '../record/ledger-record.ts';
import { readName } from '../record/named-texts.ts';
import { readRecord, type WaitingRecords } from '../record/waiting-records.ts';
import type { LabelBounds } from './write-labels.ts';

/** The work that is to be written together. */
export interface LedgerWork {
  readonly records: readonly LedgerRecord[];
  readonly bounds: LabelBounds | undefined;
}

export interface WorkOptions {
  /** The id of who writes it: its numbers of names are its own. */
  readonly writer: string;
  /** How many of the first records it is. */
  readonly count: number;
  readonly bounds: LabelBounds | undefined;
}

/** The first records that wait, as bytes that are handed over: what they have in common, and then each of them. */
export const workBytes = (waiting: WaitingRecords, { writer, count, bounds }: WorkOptions): Uint8Array => {
  const head = new RecordWriter();
  const names = waiting.names(count);
  head.text(writer);
  head.number(bounds?.names ?? null);
  head.number(bounds?.values ?? null);
  head.number(count);
  head.number(names.size);
  for (const { number, text } of names) {
    head.number(number);
    head.bytes(text);
  }
  const bytes = sharedBytes(head.length + waiting.countBytes(count));
  bytes.set(head.part(0, head.length));
  bytes.set(waiting.front(count), head.length);
  return bytes;
};

/** So many names are remembered, and then forgotten together: somewhat more than whoever writes remembers. */
const maxNames = 20_000;

/** Names that were read before, so that each is read once, and has one object. */
export class ReadNames {
  #writer = '';
  readonly #names = new Map<number, Named>();

  /** Reads so many, and answers those of the same writer. */
  read(from: RecordReader, writer: string, count: number): ReadonlyMap<number, Named> {
    if (writer !== this.#writer || this.#names.size + count > maxNames) this.#names.clear();
    this.#writer = writer;
    for (let at = 0; at < count; at += 1) {
      const number = from.number();
      const text = from.bytes();
      if (!this.#names.has(number)) this.#names.set(number, readName(toBuffer(text).toString()));
    }
    return this.#names;
  }
}

/** Reads what `workBytes` has made. */
export const readWork = (bytes: Uint8Array, known: ReadNames): LedgerWork => {
  const reader = new RecordReader();
  reader.begin(toBuffer(bytes));
  const writer = reader.text();
  const names = reader.numberOrNull();
  const values = reader.numberOrNull();
  const count = reader.number();
  const byNumber = known.read(reader, writer, reader.number());
  const records: LedgerRecord[] = [];
  while (records.length < count) records.push(readRecord(reader, byNumber));
  return { records, bounds: names === null || values === null ? undefined : { names, values } };
};
