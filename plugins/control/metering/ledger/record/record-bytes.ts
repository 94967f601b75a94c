import type { RecordReader } from '../../../../sdk/records/record-reader.ts';
import type { RecordWriter } from '../../../../sdk/records/record-writer.ts';
import type { LedgerRecord, Named, RecordedAttempt, RecordedCharge } from './ledger-record.ts';
import { isCounter } from './named-texts.ts';

/** The number by which a record refers to what many have in common. */
export type NumberOf = (named: Named) => number;

/** What numbers refer to. */
export type NamesByNumber = ReadonlyMap<number, Named>;

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
export const writeRecord = (to: RecordWriter, { id, at, charges, attempt }: LedgerRecord, toNumber: NumberOf): void => {
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
