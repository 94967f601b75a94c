import type { AnswerReader } from '../../../sdk/hooks/answer-reader.ts';
import type { TelemetryRecord } from '../records/records.ts';
import type { ThreadSettings } from './messages.ts';
import type { Packages } from './packages.ts';
import type { ResourceAttributes } from './resource.ts';

/** A kind of data that is sent: traces or metrics. */
export interface Signal {
  take(record: TelemetryRecord): void;
  /** Adds the names of the models in a plan. */
  addModels?(names: readonly string[]): void;
  /** Sends what is left. */
  shutdown(): Promise<void>;
}

export interface SignalOptions extends ThreadSettings {
  readonly packages: Packages;
  /** The attributes of the sending process. */
  readonly attributes: ResourceAttributes;
  /** The same, in the form of the SDK. */
  readonly resource: ReturnType<Packages['resources']['resourceFromAttributes']>;
  readonly listedModel: AnswerReader['listedModel'];
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}

/** The name of the instrumentation scope of all spans and measurements. */
export const scope = 'gatewright';

/** The time-out of an export in milliseconds. */
export const exportMs = 10_000;
