/**
 * A position in the order in which records were written: after `seen` records of a block. This order is the same for all
 * processes. The times of records are not in order, because a process that could not reach the database writes its records late.
 */
export interface EventPlace {
  readonly block: number;
  readonly seen: number;
  /** The number of a record of the block, which identifies the block, because an emptied log starts to count again. 0: none. */
  readonly record: number;
}

/** The place before the first record. */
export const beginning: EventPlace = { block: 0, seen: 0, record: 0 };

/** Checks whether a place is after another one. */
export const isBehind = (one: EventPlace, other: EventPlace): boolean =>
  one.block === other.block ? one.seen > other.seen : one.block > other.block;

/** Writes a place as an event id: `12.5.1789422`. */
export const toEventId = ({ block, seen, record }: EventPlace): string => `${block}.${seen}.${record}`;

const form = /^(\d{1,16})\.(\d{1,16})\.(\d{1,16})$/;

/** Reads an event id; undefined if the text is not one. */
export const readEventId = (text: string): EventPlace | undefined => {
  const [block, seen, record] = (form.exec(text) ?? []).slice(1).map(Number);
  if (block === undefined || seen === undefined || record === undefined) return undefined;
  return [block, seen, record].every(Number.isSafeInteger) ? { block, seen, record } : undefined;
};
