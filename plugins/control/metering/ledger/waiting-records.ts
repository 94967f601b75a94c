import { RecordReader } from '../../../sdk/binary/record-reader.ts';
import { RecordWriter } from '../../../sdk/binary/record-writer.ts';
import { sharedBytes } from '../../../sdk/binary/shared-bytes.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { LedgerRecord, Named, RecordedAttempt, RecordedCharge } from './ledger-record.ts';
import { isCounter, nameText, readName } from './named-texts.ts';

/** The values that numbers refer to. */
type NamesByNumber = ReadonlyMap<number, Named>;

const alone = 0;
const withAttempt = 1;

const readCharge = (from: RecordReader, names: NamesByNumber): RecordedCharge => {
  const counter = names.get(from.number());
  if (counter === undefined || !isCounter(counter))
    throw new TypeError('A record of the ledger refers to a counter that is not named.');
  return { counter, amount: from.number(), window: from.number() };
};

const readCharges = (from: RecordReader, names: NamesByNumber): readonly RecordedCharge[] => {
  const charges: RecordedCharge[] = [];
  for (let left = from.number(); left > 0; left -= 1) charges.push(readCharge(from, names));
  return charges;
};

/** Reads an attempt. Its members must be in this order. */
const readAttempt = (from: RecordReader, at: number, names: NamesByNumber): RecordedAttempt => {
  const facts = names.get(from.number());
  if (facts === undefined || isCounter(facts))
    throw new TypeError('A record of the ledger refers to facts that are not named.');
  return {
    facts,
    at,
    trace: from.text(),
    requests: from.number(),
    attempts: from.number(),
    input_tokens: from.number(),
    cache_read_tokens: from.number(),
    cache_write_tokens: from.number(),
    audio_tokens: from.number(),
    output_tokens: from.number(),
    reasoning_tokens: from.number(),
    nano_usd: from.numberOrNull(),
    corrects: from.textOrNull(),
  };
};

/** Reads the next record that `WaitingRecords` has written. */
const readRecord = (from: RecordReader, names: NamesByNumber): LedgerRecord => {
  const kind = from.small();
  const id = from.text();
  const at = from.number();
  const charges = readCharges(from, names);
  return kind === alone ? { id, at, charges } : { id, at, charges, attempt: readAttempt(from, at, names) };
};

const readRecords = (from: RecordReader, names: NamesByNumber, count: number): readonly LedgerRecord[] => {
  const records: LedgerRecord[] = [];
  while (records.length < count) records.push(readRecord(from, names));
  return records;
};

/** A value that records refer to by a number. The number stays the same while the value is known. */
interface NumberedName {
  readonly number: number;
  readonly is: Named;
  /** Its text, in UTF-8. */
  readonly text: Uint8Array;
}

/** How many bytes are kept when nothing is waiting. A larger buffer is released. */
const idle = 256 * 1024;
const largestIdle = 4 * idle;

const sumFirst = (counts: readonly number[], count: number): number => {
  let sum = 0;
  for (let at = 0; at < count; at += 1) sum += counts[at] ?? 0;
  return sum;
};

/** The maximum number of labels that are counted per day and workspace, and of values of each label. */
export interface LabelBounds {
  readonly names: number;
  readonly values: number;
}

interface WorkOptions {
  /** The id of the writer. Each writer has its own numbers of names. */
  readonly writer: string;
  /** The number of records to take from the front. */
  readonly count: number;
  readonly bounds: LabelBounds | undefined;
}

/** Waiting records, as bytes outside of the heap, where they cost the garbage collector nothing. */
export class WaitingRecords extends RecordWriter {
  /** The numbers of values. A value that was named before has the same number again. */
  readonly #numbers = new WeakMap<Named, NumberedName>();
  #last = 0;
  /** The bytes of each record. */
  readonly #sizes: number[] = [];
  /** How many names each record has. */
  readonly #nameCounts: number[] = [];
  /** The names of all records, in their order. */
  readonly #names: NumberedName[] = [];

  get count(): number {
    return this.#sizes.length;
  }

  /** Adds a record. An attempt in it has the same time. */
  add({ id, at, charges, attempt }: LedgerRecord): void {
    const bytes = this.length;
    const names = this.#names.length;
    this.small(attempt === undefined ? alone : withAttempt);
    this.text(id).number(at).number(charges.length);
    for (const { counter, amount, window } of charges)
      this.number(this.#toNumber(counter)).number(amount).number(window);
    if (attempt !== undefined) this.#addAttempt(attempt);
    this.#sizes.push(this.length - bytes);
    this.#nameCounts.push(this.#names.length - names);
  }

  /** Returns the first records as bytes to hand over: what they have in common, followed by each record. */
  work({ writer, count, bounds }: WorkOptions): Uint8Array {
    const head = new RecordWriter();
    const names = this.#firstNames(count);
    const records = this.#front(count);
    head.text(writer).number(bounds?.names ?? null);
    head.number(bounds?.values ?? null).number(count);
    head.number(names.size);
    for (const { number, text } of names) head.number(number).bytes(text);
    const bytes = sharedBytes(head.length + records.length);
    bytes.set(head.part(0, head.length));
    bytes.set(records, head.length);
    return bytes;
  }

  read(count: number): readonly LedgerRecord[] {
    const reader = new RecordReader();
    const names = new Map([...this.#firstNames(count)].map(({ number, is }) => [number, is]));
    reader.begin(toBuffer(this.#front(count)));
    return readRecords(reader, names, count);
  }

  /** Removes the first records. */
  drop(count: number): void {
    const bytes = sumFirst(this.#sizes, count);
    this.memory.copyWithin(0, bytes, this.used);
    this.used -= bytes;
    if (this.used === 0 && this.memory.length > largestIdle) {
      this.memory = Buffer.allocUnsafeSlow(idle);
      this.view = new DataView(this.memory.buffer);
    }
    this.#names.splice(0, sumFirst(this.#nameCounts, count));
    this.#sizes.splice(0, count);
    this.#nameCounts.splice(0, count);
  }

  /** Returns the bytes of the first records, which change with the next `drop`. */
  #front(count: number): Uint8Array {
    return this.part(0, sumFirst(this.#sizes, count));
  }

  /** Returns the values that the first records refer to. */
  #firstNames(count: number): ReadonlySet<NumberedName> {
    return new Set(this.#names.slice(0, sumFirst(this.#nameCounts, count)));
  }

  #addAttempt(attempt: RecordedAttempt): void {
    this.number(this.#toNumber(attempt.facts)).text(attempt.trace);
    this.number(attempt.requests).number(attempt.attempts);
    this.number(attempt.input_tokens).number(attempt.cache_read_tokens).number(attempt.cache_write_tokens);
    this.number(attempt.audio_tokens).number(attempt.output_tokens).number(attempt.reasoning_tokens);
    this.number(attempt.nano_usd).text(attempt.corrects);
  }

  #toNumber(is: Named): number {
    let known = this.#numbers.get(is);
    if (known === undefined) {
      this.#last += 1;
      known = { number: this.#last, is, text: Buffer.from(nameText(is)) };
      this.#numbers.set(is, known);
    }
    this.#names.push(known);
    return known.number;
  }
}

/**
 * The maximum number of names that are cached per writer, somewhat more than a writer itself caches. All are then dropped
 * together.
 */
const maxNames = 20_000;

/** The maximum number of writers, because each worker is one. Beyond it, all are dropped. */
const maxWriters = 16;

/** Names that were read before, so that each name of a writer is parsed once and has one object. */
export class ReadNames {
  readonly #byWriter = new Map<string, Map<number, Named>>();

  /** Reads a number of names, and returns those of the same writer. */
  read(from: RecordReader, writer: string, count: number): NamesByNumber {
    const names = this.#namesOf(writer);
    if (names.size + count > maxNames) names.clear();
    for (let at = 0; at < count; at += 1) {
      const number = from.number();
      const text = from.bytes();
      if (!names.has(number)) names.set(number, readName(toBuffer(text).toString()));
    }
    return names;
  }

  #namesOf(writer: string): Map<number, Named> {
    const known = this.#byWriter.get(writer) ?? new Map<number, Named>();
    if (this.#byWriter.size >= maxWriters && !this.#byWriter.has(writer)) this.#byWriter.clear();
    this.#byWriter.set(writer, known);
    return known;
  }
}

/** Reads the work that `WaitingRecords` has handed over. */
export const readWork = (
  bytes: Uint8Array,
  known: ReadNames,
): { readonly records: readonly LedgerRecord[]; readonly bounds: LabelBounds | undefined } => {
  const reader = new RecordReader();
  reader.begin(toBuffer(bytes));
  const writer = reader.text();
  const names = reader.numberOrNull();
  const values = reader.numberOrNull();
  const count = reader.number();
  const byNumber = known.read(reader, writer, reader.number());
  return {
    records: readRecords(reader, byNumber, count),
    bounds: names === null || values === null ? undefined : { names, values },
  };
};
