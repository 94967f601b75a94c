/** What the thread is started with. */
export interface ThreadSettings {
  /** The base URL of the receiver. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly traces: boolean;
  readonly metrics: boolean;
  /** Milliseconds since the epoch of the zero of the runtime's clock. */
  readonly timeOrigin: number;
}

export interface ThreadStart {
  readonly settings: ThreadSettings;
  /** How many batches it has read, modulo 2^32. */
  readonly read: Int32Array<SharedArrayBuffer>;
}

export type ToThread =
  /** In shared memory, which is written again when it has counted the batch. */
  | { readonly kind: 'records'; readonly batch: Uint8Array }
  /** Sends what is left, and ends. */
  | { readonly kind: 'close' };

export type FromThread =
  | { readonly kind: 'ready' }
  /** A sentence for the operator. */
  | { readonly kind: 'tell'; readonly text: string };
