import type { OwnPrices } from '../../../../schema/usage/model-price.ts';
import type { AnswerReader } from '../../../sdk/hooks/answer-reader.ts';

/** The settings with which the thread is started. */
export interface ThreadSettings {
  /** The base URL of the receiver. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of this gateway in the gateway file. */
  readonly serviceName: string | undefined;
  /** The version of this package. */
  readonly serviceVersion: string;
  readonly traces: boolean;
  readonly metrics: boolean;
  /** The zero of the runtime's clock, in milliseconds since the epoch. */
  readonly timeOrigin: number;
  readonly reading: AnswerReading;
}

/** How the thread reads answers. */
export interface AnswerReading {
  /** The URL of a module with `createAnswerReader`. */
  readonly module: string;
  /** The operator's prices. */
  readonly prices: OwnPrices;
}

/** The exports of that module. */
export interface AnswerReaderModule {
  readonly createAnswerReader: (own: OwnPrices) => AnswerReader;
}

export interface ThreadStart {
  readonly settings: ThreadSettings;
  /** How many batches the thread has read, modulo 2^32. */
  readonly read: Int32Array<SharedArrayBuffer>;
}

export type ToThread =
  /** In shared memory, which is reused when the thread has counted the batch. */
  | { readonly kind: 'records'; readonly records: Uint8Array }
  /** The models that a plan names. Sent before the first records of its requests. */
  | { readonly kind: 'models'; readonly names: readonly string[] }
  /** Sends what is left, and ends the thread. */
  | { readonly kind: 'close' };

export type FromThread =
  | { readonly kind: 'ready' }
  /** A sentence for the operator. */
  | { readonly kind: 'log'; readonly text: string };
