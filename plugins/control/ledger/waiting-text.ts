import type { Counter, Facts, LedgerRecord, Named } from './ledger-record.ts';

/** What records refer to by numbers, which stay the same as long as it is known. */
export interface NumberedName {
  readonly number: number;
  readonly is: Named;
}

/** A record without what it refers to: as JSON it is short, and takes little time to write and to read. */
type RecordValues = readonly [
  id: string,
  at: number,
  /** Three for each charge: the number of its counter, its amount and its window. */
  charges: readonly number[],
  ...attempt: readonly [] | AttemptValues,
];

type AttemptValues = readonly [
  facts: number,
  at: number,
  trace: string,
  requests: number,
  attempts: number,
  input: number,
  cacheRead: number,
  cacheWrite: number,
  audio: number,
  output: number,
  reasoning: number,
  nanoUsd: number | null,
  corrects: string | null,
];

/** A record that waits as a text, with what the text refers to. */
export interface WaitingText {
  readonly text: string;
  readonly names: readonly NumberedName[];
}

/** Writes records. What was named once has the same number again. */
export class RecordWriter {
  readonly #numbers = new WeakMap<Named, NumberedName>();
  #last = 0;

  write({ id, at, charges, attempt }: LedgerRecord): WaitingText {
    const counters = charges.map(({ counter }) => this.#named(counter));
    const charged = charges.flatMap(({ amount, window }, place) => [counters[place]?.number ?? 0, amount, window]);
    if (attempt === undefined) {
      const values: RecordValues = [id, at, charged];
      return { text: JSON.stringify(values), names: counters };
    }
    const facts = this.#named(attempt.facts);
    const values: RecordValues = [
      id,
      at,
      charged,
      facts.number,
      attempt.at,
      attempt.trace,
      attempt.requests,
      attempt.attempts,
      attempt.input_tokens,
      attempt.cache_read_tokens,
      attempt.cache_write_tokens,
      attempt.audio_tokens,
      attempt.output_tokens,
      attempt.reasoning_tokens,
      attempt.nano_usd,
      attempt.corrects,
    ];
    return { text: JSON.stringify(values), names: [facts, ...counters] };
  }

  #named(is: Named): NumberedName {
    const known = this.#numbers.get(is);
    if (known !== undefined) return known;
    this.#last += 1;
    const named = { number: this.#last, is };
    this.#numbers.set(is, named);
    return named;
  }
}

/** What texts refer to, by its number. */
export type NamesByNumber = ReadonlyMap<number, Named>;

const isFacts = (named: Named | undefined): named is Facts => named !== undefined && 'metadata' in named;
const isCounter = (named: Named | undefined): named is Counter => named !== undefined && 'bucket' in named;

const readCharges = (values: readonly number[], names: NamesByNumber): LedgerRecord['charges'] => {
  const charges: LedgerRecord['charges'][number][] = [];
  for (let at = 0; at < values.length; at += 3) {
    const counter = names.get(values[at] ?? 0);
    if (!isCounter(counter)) throw new TypeError('A record of the ledger refers to a counter that is not named.');
    charges.push({ counter, amount: values[at + 1] ?? 0, window: values[at + 2] ?? 0 });
  }
  return charges;
};

/** The record that a text was made of. */
export const readRecord = (text: string, names: NamesByNumber): LedgerRecord => {
  const [id, recordedAt, charged, ...own]: RecordValues = JSON.parse(text);
  const charges = charged.length === 0 ? [] : readCharges(charged, names);
  if (own.length === 0) return { id, at: recordedAt, charges };
  const [number, at, trace, requests, attempts, input, cacheRead, cacheWrite, audio, output, reasoning, ...rest] = own;
  const facts = names.get(number);
  if (!isFacts(facts)) throw new TypeError('A record of the ledger refers to facts that are not named.');
  const [nano_usd, corrects] = rest;
  const attempt = {
    ...{ facts, at, trace, requests, attempts, nano_usd, corrects },
    input_tokens: input,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    audio_tokens: audio,
    output_tokens: output,
    reasoning_tokens: reasoning,
  };
  return { id, at: recordedAt, charges, attempt };
};
