import type { UsageRecord } from '../../../../../schema/usage/usage-record.ts';

/** What the ledger keeps of one attempt. */
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
