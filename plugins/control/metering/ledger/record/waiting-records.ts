import { RecordReader } from '../../../../sdk/records/record-reader.ts';
import { RecordWriter } from '../../../../sdk/records/record-writer.ts';
import type { LedgerRecord, Named } from './ledger-record.ts';
import { nameText } from './named-texts.ts';
import { readRecord, writeRecord } from './record-bytes.ts';

/** What records refer to by a number, which stays the same as long as it is known. */
export interface NumberedName {
  readonly number: number;
  readonly is: Named;
  /** Its text, in UTF-8. */
  readonly text: Uint8Array;
}

/** Bytes that are kept when nothing waits any more; more than this are given back. */
const idle = 256 * 1024;
const largestIdle = 4 * idle;

/** Records that wait, in bytes outside of the heap, in which they cost the garbage collector nothing. */
export class WaitingRecords extends RecordWriter {
  /** What was named once has the same number again. */
  readonly #numbers = new WeakMap<Named, NumberedName>();
  #last = 0;
  /** The bytes of each record. */
  readonly #sizes: number[] = [];
  /** How many names each record has. */
  readonly #nameCounts: number[] = [];
  /** The names of all records, in their order. */
  readonly #names: NumberedName[] = [];
  readonly #toNumber = (named: Named): number => {
    const known = this.#numbers.get(named) ?? this.#learn(named);
    this.#names.push(known);
    return known.number;
  };

  get count(): number {
    return this.#sizes.length;
  }

  add(record: LedgerRecord): void {
    const bytes = this.length;
    const names = this.#names.length;
    writeRecord(this, record, this.#toNumber);
    this.#sizes.push(this.length - bytes);
    this.#nameCounts.push(this.#names.length - names);
  }

  /** How many bytes the first ones have. */
  countBytes(count: number): number {
    let bytes = 0;
    for (let at = 0; at < count; at += 1) bytes += this.#sizes[at] ?? 0;
    return bytes;
  }

  /** The bytes of the first ones, which change with the next `drop`. */
  front(count: number): Uint8Array {
    return this.part(0, this.countBytes(count));
  }

  /** What the first ones refer to. */
  names(count: number): ReadonlySet<NumberedName> {
    return new Set(this.#names.slice(0, this.#toNames(count)));
  }

  read(count: number): readonly LedgerRecord[] {
    const reader = new RecordReader();
    const names = new Map([...this.names(count)].map(({ number, is }) => [number, is]));
    const bytes = this.front(count);
    reader.begin(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    return Array.from({ length: count }, () => readRecord(reader, names));
  }

  /** Takes out the first ones. */
  drop(count: number): void {
    const bytes = this.countBytes(count);
    this.memory.copyWithin(0, bytes, this.used);
    this.used -= bytes;
    if (this.used === 0 && this.memory.length > largestIdle) this.#giveBack();
    this.#names.splice(0, this.#toNames(count));
    this.#sizes.splice(0, count);
    this.#nameCounts.splice(0, count);
  }

  #toNames(count: number): number {
    let names = 0;
    for (let at = 0; at < count; at += 1) names += this.#nameCounts[at] ?? 0;
    return names;
  }

  #giveBack(): void {
    this.memory = Buffer.allocUnsafeSlow(idle);
    this.view = new DataView(this.memory.buffer);
  }

  #learn(is: Named): NumberedName {
    this.#last += 1;
    const named = { number: this.#last, is, text: Buffer.from(nameText(is)) };
    this.#numbers.set(is, named);
    return named;
  }
}
