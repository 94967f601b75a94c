import type { SinkStatus, StorePart } from '../../../plugins/sdk/control-plane/store-status.ts';
import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { OwnPrices } from '../../../schema/usage/model-price.ts';
import type { AlertStatus } from '../../status-pages/alert-status.ts';
import type { ReadMetrics } from '../../status-pages/metrics-page.ts';
import type { OpenedOverload } from './overload.ts';

/** The answers whose tokens and costs are counted: those whose usage something else needs (`known`), all, or none. */
export type CountedTokens = 'known' | 'all' | 'none';

/** The sources of metrics, besides hooks. */
export interface MetricsOptions {
  /** Milliseconds of the runtime's clock. */
  readonly now: () => number;
  readonly tokens: CountedTokens;
  /** Returns the number of requests whose answers have not ended. */
  readonly inFlight: () => number;
  /** Returns the number of log lines that were dropped because nobody read them. */
  readonly droppedRecords: () => number;
  /** Returns the status of the log's receivers. */
  readonly sinks: () => readonly SinkStatus[];
  /** Returns the parts of the store that this process cannot use. Absent without a store. */
  readonly unavailableParts?: () => ReadonlySet<StorePart>;
  /** Returns the status of the receivers of alerts. Absent if there are none. */
  readonly alerts?: () => readonly AlertStatus[];
  /** The state of the overload protection. Absent if there is none. */
  readonly overload?: Pick<OpenedOverload, 'status' | 'counts'>;
}

/** The metrics, as the gateway uses them. */
export interface Metrics {
  readonly plugin: Plugin;
  readonly read: ReadMetrics;
}

/** The receiver of traces and metrics, and which of them it is sent. */
export interface TelemetryOptions {
  /** The base URL of an OTLP/HTTP receiver. `/v1/traces` and `/v1/metrics` are appended. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of this gateway in the gateway file. */
  readonly serviceName: string | undefined;
  readonly traces: boolean;
  readonly metrics: boolean;
  /** The fraction of requests that are traced if their client does not decide, from 0 to 1. */
  readonly sampleRatio: number;
  /** The zero of the runtime's clock, in milliseconds since the epoch. */
  readonly timeOrigin: number;
  /** Milliseconds of the runtime's clock. */
  readonly now: () => number;
  /** For reading answers in a separate thread: the URL of the module that does it, and the operator's prices. */
  readonly reading: { readonly module: string; readonly prices: OwnPrices };
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}
