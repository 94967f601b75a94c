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
  /** Whether it is the first attempt of its request that was sent. The request is counted with it. */
  readonly isFirst: boolean;
  /** False if it is not an attempt but the request itself, as counted by policies for requests that were sent to any target. */
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

/** Reads an entry that was written as JSON; returns undefined if it is not valid. */
export const readEntry = (value: unknown): LedgerEntry | undefined => (isEntry(value) ? value : undefined);

/**
 * The JSON of an entry in two parts, which are joined. The second has no line break, and equals that of most other entries of
 * the same caller and target.
 */
export interface EntryText {
  readonly own: string;
  readonly shared: string;
}

/** A charge that was made, in the window in which it was admitted. */
export interface PostedCharge {
  readonly policy: string;
  /** The counter of the policy: one for each combination of the values that it groups by. `*` is the shared counter. */
  readonly bucket: string;
  readonly unit: Unit;
  /** A whole number. It is negative if a correction returns a part of an estimate. */
  readonly amount: number;
  /** When the window began, in milliseconds since the epoch; 0 for counters that never start again. */
  readonly window: number;
}

/** A posting to the ledger for one attempt. */
export interface Posting<Entry> {
  /** The id of the attempt, or its `correctionId`. The ledger stores each id once. */
  readonly id: string;
  /**
   * The id of the posting of an estimate, if this posting corrects it: its charges are added to those of the estimate, and its
   * entry replaces the estimate's.
   */
  readonly corrects?: string;
  readonly charges: readonly PostedCharge[];
  /** The entry of the attempt, or its estimate if the reservation expired. */
  readonly entry: Entry;
}

/** Takes postings one by one, and keeps them until they are written. */
export interface TakenPostings<Entry> {
  /** Never throws. */
  take(posting: Posting<Entry>): void;
}

/** Receives postings, each once or repeatedly with the same id. */
export interface Postings<Entry> {
  post(postings: readonly Posting<Entry>[]): void | Promise<void>;
}
