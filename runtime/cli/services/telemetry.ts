import type { SinkStatus } from '../../../plugins/sdk/control-plane/store-status.ts';
import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { OwnPrices } from '../../../schema/usage/model-price.ts';
import type { AlertStatus } from '../../status-pages/alert-status.ts';
import type { ReadMetrics } from '../../status-pages/metrics-page.ts';
import type { OpenedOverload } from './overload.ts';

/** Of which answers tokens and costs are counted: of those whose usage something else wants (`known`), of all, or of none. */
export type CountedTokens = 'known' | 'all' | 'none';

/** The sources of metrics, beside hooks. */
export interface MetricsOptions {
  /** Milliseconds of the runtime's clock. */
  readonly now: () => number;
  readonly tokens: CountedTokens;
  /** Requests whose answers have not ended. */
  readonly inFlight: () => number;
  /** Lines of logs that were dropped because nobody read them. */
  readonly droppedRecords: () => number;
  /** How the receivers of the log do. */
  readonly sinks: () => readonly SinkStatus[];
  /** How the receivers of alerts do; absent where there are none. */
  readonly alerts?: () => readonly AlertStatus[];
  /** How the protection against overload does; absent where there is none. */
  readonly overload?: Pick<OpenedOverload, 'status' | 'counts'>;
}

/** The metrics, as the gateway uses them. */
export interface Metrics {
  readonly plugin: Plugin;
  readonly read: ReadMetrics;
}

/** Where traces and metrics are sent, and what of them. */
export interface TelemetryOptions {
  /** The base URL of an OTLP/HTTP receiver: `/v1/traces` and `/v1/metrics` are appended. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of this gateway in the gateway file. */
  readonly serviceName: string | undefined;
  readonly traces: boolean;
  readonly metrics: boolean;
  /** The share of requests that are traced where their client does not say, 0 to 1. */
  readonly sampleRatio: number;
  /** Milliseconds since the epoch of the zero of the runtime's clock. */
  readonly timeOrigin: number;
  /** Milliseconds of the runtime's clock. */
  readonly now: () => number;
  /** How answers are read in a thread apart: the URL of the module that does, and the operator's prices. */
  readonly reading: { readonly module: string; readonly prices: OwnPrices };
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}
