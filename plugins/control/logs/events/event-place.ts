/**
 * A place in the log, in the order in which records are written: behind `seen` records of a block. That order is the same for all
 * processes, while the times of records are not: a process that could not reach the database writes records late.
 */
export interface EventPlace {
  readonly block: number;
  readonly seen: number;
  /** The number of a record of the block, by which the block is recognised: an empty log begins to count anew. 0: none. */
  readonly record: number;
}

/** The place before the first record. */
export const beginning: EventPlace = { block: 0, seen: 0, record: 0 };

/** Whether a place is behind another one. */
export const isBehind = (one: EventPlace, other: EventPlace): boolean =>
  one.block === other.block ? one.seen > other.seen : one.block > other.block;

/** Writes a place as the id of an event: `12.5.1789422`. */
export const toEventId = ({ block, seen, record }: EventPlace): string => `${block}.${seen}.${record}`;

const form = /^(\d{1,16})\.(\d{1,16})\.(\d{1,16})$/;

/** Reads the id of an event; undefined if it is none. */
export const readEventId = (text: string): EventPlace | undefined => {
  const [block, seen, record] = (form.exec(text) ?? []).slice(1).map(Number);
  if (block === undefined || seen === undefined || record === undefined) return undefined;
  return [block, seen, record].every(Number.isSafeInteger) ? { block, seen, record } : undefined;
};
