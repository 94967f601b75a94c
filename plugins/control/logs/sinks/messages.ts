import type { GatewayFile } from '../../../../schema/generated/gateway-file.ts';
import type { SinkEntry } from '../../../sdk/sink/sink-entry.ts';

/** The initial input of the sinks' thread. */
export interface SinkThreadStart {
  readonly entries: readonly SinkEntry[];
  /** Hosts that may have private addresses. */
  readonly trustedHosts: readonly string[];
  /** The gateway file's settings for all connections; absent if there are none. */
  readonly egress?: Pick<GatewayFile, 'proxy' | 'trusted_authorities'> | undefined;
  /** Where the thread writes its counts, sink by sink, in the order of `countNames`. */
  readonly counts: SharedArrayBuffer;
}

/** The counts of a sink in the thread since the thread started. */
export const countNames = ['waiting', 'delivered', 'dropped', 'refused', 'expired', 'retries'] as const;

/** A batch of records. */
export interface RecordsMessage {
  readonly kind: 'records';
  /** The notes and bodies, as `workBytes` creates them. */
  readonly work: Uint8Array;
  /** For each record in turn, the sinks that get it, as bits by sink number. */
  readonly wanted: Uint32Array;
}

export type ToSinks = RecordsMessage | { readonly kind: 'close'; readonly graceMs: number };

export type FromSinks =
  | { readonly kind: 'ready' }
  /** A sink cannot be opened, and nothing is started. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The oldest batch that was handed over is queued. */
  | { readonly kind: 'taken' }
  /** The result of a sink's last attempt. */
  | { readonly kind: 'state'; readonly sink: number; readonly failing?: string }
  | { readonly kind: 'closed' };
