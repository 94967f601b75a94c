import type { AnswerReader } from '../../../sdk/hooks/answer-reader.ts';
import type { TelemetryRecord } from '../records/records.ts';
import type { ThreadSettings } from './messages.ts';
import type { Packages } from './packages.ts';
import type { ResourceAttributes } from './resource.ts';

/** The kind of data that is sent: traces, or metrics. */
export interface Signal {
  take(record: TelemetryRecord): void;
  /** Takes the names of the models of a plan. */
  addModels?(names: readonly string[]): void;
  /** Sends what is left. */
  shutdown(): Promise<void>;
}

export interface SignalOptions extends ThreadSettings {
  readonly packages: Packages;
  /** The attributes of the process that sends. */
  readonly attributes: ResourceAttributes;
  /** The same, as the SDK has them. */
  readonly resource: ReturnType<Packages['resources']['resourceFromAttributes']>;
  readonly listedModel: AnswerReader['listedModel'];
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}

/** The name of what is instrumented: all spans and measurements have it. */
export const scope = 'gatewright';

/** How long an export may take, in milliseconds. */
export const exportMs = 10_000;
