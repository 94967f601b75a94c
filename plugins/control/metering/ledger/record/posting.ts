import type { Unit } from '../../../kernel/limits/unit.ts';

/** A charge that was made, in the window of its admission. */
export interface PostedCharge {
  readonly policy: string;
  /** Which of the policy's counters: one for each tuple of the values that it groups by. `*` is the one that others share. */
  readonly bucket: string;
  readonly unit: Unit;
  /** A whole number; below 0 where a correction gives back a part of an estimate. */
  readonly amount: number;
  /** When the window began, in milliseconds since the epoch; 0 for counters that never begin anew. */
  readonly window: number;
}

/** What the ledger keeps of one attempt. */
export interface Posting<Entry> {
  /** The attempt's, or `correctionId` of it. The ledger keeps each id once. */
  readonly id: string;
  /**
   * The id of the posting of an estimate, if this corrects it: its charges are added to those of that posting, and its entry
   * replaces that entry.
   */
  readonly corrects?: string;
  readonly charges: readonly PostedCharge[];
  /** What is known of the attempt; its estimate, where the reservation expired. */
  readonly entry: Entry;
}

/** Where postings go one by one, and are kept until they are written. */
export interface TakenPostings<Entry> {
  /** It never throws. */
  take(posting: Posting<Entry>): void;
}

/** Where postings go, once each or, with the same id, again. */
export interface Postings<Entry> {
  post(postings: readonly Posting<Entry>[]): void | Promise<void>;
}
