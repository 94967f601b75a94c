import type { TelemetryRecord } from '../records.ts';
import type { ThreadSettings } from './messages.ts';
import type { Packages } from './packages.ts';

/** What is sent: traces, or metrics. */
export interface Signal {
  take(record: TelemetryRecord): void;
  /** Sends what is left. */
  shutdown(): Promise<void>;
}

export interface SignalOptions extends ThreadSettings {
  readonly packages: Packages;
  readonly resource: ReturnType<Packages['resources']['resourceFromAttributes']>;
  /** Tells the operator. */
  readonly tell: (text: string) => void;
}

/** The name of what is instrumented: all spans and measurements have it. */
export const scope = 'gatewright';

/** How long an export may take, in milliseconds. */
export const exportMs = 10_000;
