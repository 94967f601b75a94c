import { type CountedCall, word } from './counting-provider.ts';
import { type Row, refused, reported, unfinished } from './expected-rows.ts';

const upTo = (max: number): readonly number[] => Array.from({ length: max + 1 }, (_, count) => count);

export interface CallFacts {
  /** The bytes of the texts of its request. */
  readonly askedBytes: number;
  /** The most words of another answer that it may continue. */
  readonly goesOnWith: number;
  /** Whether its client has received all of its answer. */
  readonly wasGiven: boolean;
}

/** The rows that the ledger may have for a call that ended when it is unknown how much of its answer the gateway had read. */
export const allowedRows = (call: CountedCall, { askedBytes, goesOnWith, wasGiven }: CallFacts): readonly Row[] => {
  if (call.ended && wasGiven) return [reported(call)];
  const cut = upTo(goesOnWith).flatMap((said) =>
    upTo(call.words).flatMap((words) =>
      [false, true].map((begun) => unfinished(call, askedBytes + said * word.length, { words, begun })),
    ),
  );
  return [...cut, ...(call.ended ? [reported(call)] : []), ...(call.refused ? [refused(call)] : [])];
};

/** How rows and calls are matched. */
export interface Matching<Row, Call> {
  isOf(row: Row, call: Call): boolean;
  /** Whether a call may have no row. */
  mayLack(call: Call): boolean;
  /** Whether rows may exist without a call. */
  mayStand(rows: readonly Row[]): boolean;
}

/** Whether each call has its own row, except for calls that may lack one, and the remaining rows may exist without a call. */
export const areMatched = <Row, Call>(
  rows: readonly Row[],
  [call, ...others]: readonly Call[],
  by: Matching<Row, Call>,
): boolean => {
  if (call === undefined) return by.mayStand(rows);
  const without = (at: number): readonly Row[] => rows.filter((_, index) => index !== at);
  return (
    rows.some((row, at) => by.isOf(row, call) && areMatched(without(at), others, by)) ||
    (by.mayLack(call) && areMatched(rows, others, by))
  );
};
