import type { GatewayFile } from '../../../../schema/generated/gateway-file.ts';
import type { SinkEntry } from '../../../sdk/sink/sink-entry.ts';

/** The input that the thread of the sinks begins with. */
export interface SinkThreadStart {
  readonly entries: readonly SinkEntry[];
  /** Hosts that may have private addresses. */
  readonly trustedHosts: readonly string[];
  /** The settings of the gateway file for connections to all hosts; absent: there are none. */
  readonly egress?: Pick<GatewayFile, 'proxy' | 'trusted_authorities'> | undefined;
  /** Where it writes its counts, those of each sink in a row, in the order of `countNames`. */
  readonly counts: SharedArrayBuffer;
}

/** The counts of a sink in the thread, since that has begun. */
export const countNames = ['waiting', 'delivered', 'dropped', 'refused', 'expired', 'retries'] as const;

/** A batch of records. */
export interface RecordsMessage {
  readonly kind: 'records';
  /** As `workBytes` makes them. */
  readonly work: Uint8Array;
  /** For each record in turn, which sinks get it: the bit of their number. */
  readonly wanted: Uint32Array;
}

export type ToSinks = RecordsMessage | { readonly kind: 'close'; readonly graceMs: number };

export type FromSinks =
  | { readonly kind: 'ready' }
  /** A sink cannot be opened, and nothing is begun. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The records that were handed over first are queued. */
  | { readonly kind: 'taken' }
  /** How the last attempt of a sink went. */
  | { readonly kind: 'state'; readonly sink: number; readonly failing?: string }
  | { readonly kind: 'closed' };
