import { toBuffer } from '../../../../sdk/http/to-buffer.ts';
import { RecordReader } from '../../../../sdk/records/record-reader.ts';
import { RecordWriter } from '../../../../sdk/records/record-writer.ts';
import { sharedBytes } from '../../../../sdk/records/shared-bytes.ts';
import type { LabelBounds } from '../rows/write-labels.ts';
import type { LedgerRecord, Named, RecordedAttempt, RecordedCharge } from './ledger-record.ts';
import { isCounter, nameText, readName } from './named-texts.ts';

/** The number by which a record refers to what many have in common. */
type NumberOf = (named: Named) => number;

/** The values that numbers refer to. */
type NamesByNumber = ReadonlyMap<number, Named>;

const alone = 0;
const withAttempt = 1;

const writeAttempt = (to: RecordWriter, attempt: RecordedAttempt, toNumber: NumberOf): void => {
  to.number(toNumber(attempt.facts));
  to.text(attempt.trace);
  to.number(attempt.requests);
  to.number(attempt.attempts);
  to.number(attempt.input_tokens);
  to.number(attempt.cache_read_tokens);
  to.number(attempt.cache_write_tokens);
  to.number(attempt.audio_tokens);
  to.number(attempt.output_tokens);
  to.number(attempt.reasoning_tokens);
  to.number(attempt.nano_usd);
  to.text(attempt.corrects);
};

/** Writes a record, whose attempt has its time. */
const writeRecord = (to: RecordWriter, { id, at, charges, attempt }: LedgerRecord, toNumber: NumberOf): void => {
  to.small(attempt === undefined ? alone : withAttempt);
  to.text(id);
  to.number(at);
  to.number(charges.length);
  for (const { counter, amount, window } of charges) {
    to.number(toNumber(counter));
    to.number(amount);
    to.number(window);
  }
  if (attempt !== undefined) writeAttempt(to, attempt, toNumber);
};

const readCharge = (from: RecordReader, names: NamesByNumber): RecordedCharge => {
  const counter = names.get(from.number());
  if (counter === undefined || !isCounter(counter))
    throw new TypeError('A record of the ledger refers to a counter that is not named.');
  return { counter, amount: from.number(), window: from.number() };
};

const noCharges: LedgerRecord['charges'] = [];

const readCharges = (from: RecordReader, names: NamesByNumber): LedgerRecord['charges'] => {
  const count = from.number();
  if (count === 0) return noCharges;
  const charges: RecordedCharge[] = [];
  while (charges.length < count) charges.push(readCharge(from, names));
  return charges;
};

/** The members are read in the order in which they stand. */
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

/** Reads what `writeRecord` has written. */
export const readRecord = (from: RecordReader, names: NamesByNumber): LedgerRecord => {
  const kind = from.small();
  const id = from.text();
  const at = from.number();
  const charges = readCharges(from, names);
  return kind === alone ? { id, at, charges } : { id, at, charges, attempt: readAttempt(from, at, names) };
};

/** A value that records refer to by a number, which stays the same as long as it is known. */
interface NumberedName {
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
  /** The numbers of values: one that was named before has the same number again. */
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

  /** Returns the values that the first ones refer to. */
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
