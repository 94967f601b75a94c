import type { OwnPrices } from '../../../../schema/usage/model-price.ts';
import type { AnswerReader } from '../../../sdk/hooks/answer-reader.ts';

/** The settings that the thread is started with. */
export interface ThreadSettings {
  /** The base URL of the receiver. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of this gateway in the gateway file. */
  readonly serviceName: string | undefined;
  /** Of this package. */
  readonly serviceVersion: string;
  readonly traces: boolean;
  readonly metrics: boolean;
  /** Milliseconds since the epoch of the zero of the runtime's clock. */
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
  /** How many batches it has read, modulo 2^32. */
  readonly read: Int32Array<SharedArrayBuffer>;
}

export type ToThread =
  /** In shared memory, which is written again when it has counted the batch. */
  | { readonly kind: 'records'; readonly records: Uint8Array }
  /** The models that a plan names, which come before the first records of its requests. */
  | { readonly kind: 'models'; readonly names: readonly string[] }
  /** Sends what is left, and ends. */
  | { readonly kind: 'close' };

export type FromThread =
  | { readonly kind: 'ready' }
  /** A sentence for the operator. */
  | { readonly kind: 'log'; readonly text: string };
