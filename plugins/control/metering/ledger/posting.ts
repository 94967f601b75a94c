import { isJsonObject } from '../../../../schema/json/json.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import type { Unit } from '../../kernel/limits/limit-policy.ts';

/** The ledger's entry for one attempt. */
export interface LedgerEntry {
  /** When it was settled, in milliseconds since the epoch. */
  readonly at: number;
  readonly trace: string;
  readonly organisation: string;
  readonly workspace: string;
  /** The id of the service key; absent for callers without one. */
  readonly key?: string | undefined;
  /** The name of the plan that served the request. */
  readonly config?: string | undefined;
  /** The slug of the stored prompt. */
  readonly prompt?: string | undefined;
  readonly provider: string;
  /** The slug of the saved provider or virtual key. */
  readonly slug?: string | undefined;
  /** The model that was requested. */
  readonly model: string;
  /** The labels of the request, as texts. */
  readonly metadata: { readonly [key: string]: string };
  /** The first attempt of its request that was sent: the one with which the request is counted. */
  readonly isFirst: boolean;
  /** False where it is no attempt: the request itself, as policies count requests that were sent to some target. */
  readonly isAttempt?: boolean | undefined;
  readonly usage: UsageRecord;
}

const texts = ['trace', 'organisation', 'workspace', 'provider', 'model'] as const;
const optionalTexts = ['key', 'config', 'prompt', 'slug'] as const;
const kinds: ReadonlySet<unknown> = new Set(['reported', 'partial', 'estimated', 'none']);

const isText = (value: unknown): value is string => typeof value === 'string';

const isTotal = (value: unknown): boolean => isJsonObject(value) && Number.isSafeInteger(value.total);

const isUsage = (value: unknown): value is UsageRecord =>
  isJsonObject(value) && kinds.has(value.kind) && isText(value.model) && isTotal(value.input) && isTotal(value.output);

const isEntry = (value: unknown): value is LedgerEntry =>
  isJsonObject(value) &&
  Number.isSafeInteger(value.at) &&
  typeof value.isFirst === 'boolean' &&
  texts.every((name) => isText(value[name])) &&
  optionalTexts.every((name) => value[name] === undefined || isText(value[name])) &&
  isJsonObject(value.metadata) &&
  Object.values(value.metadata).every(isText) &&
  isUsage(value.usage);

/** An entry that was written as JSON; undefined if it is none. */
export const readEntry = (value: unknown): LedgerEntry | undefined => (isEntry(value) ? value : undefined);

/** A charge that was made, in the window of its admission. */
export interface PostedCharge {
  readonly policy: string;
  /** The counter of the policy: one for each tuple of the values that it groups by. `*` is the one that others share. */
  readonly bucket: string;
  readonly unit: Unit;
  /** A whole number; below 0 where a correction gives back a part of an estimate. */
  readonly amount: number;
  /** When the window began, in milliseconds since the epoch; 0 for counters that never begin anew. */
  readonly window: number;
}

/** A posting to the ledger for one attempt. */
export interface Posting<Entry> {
  /** The attempt's, or `correctionId` of it. The ledger keeps each id once. */
  readonly id: string;
  /**
   * The id of the posting of an estimate, if this corrects it: its charges are added to those of that posting, and its entry
   * replaces that entry.
   */
  readonly corrects?: string;
  readonly charges: readonly PostedCharge[];
  /** The entry of the attempt; its estimate, where the reservation expired. */
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
