import type { StorePart } from '../../../plugins/sdk/control-plane/store-status.ts';
import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { SinkHttp } from '../../../plugins/sdk/sink/sink.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { AlertStatus } from '../../status-pages/alert-status.ts';

/** The current state of a gateway. */
export interface AlertedHealth {
  /** Files that were not accepted. */
  readonly refused: readonly { readonly file: string; readonly reason: string }[];
  /** Why requests that name no config are not served. Absent if they are. */
  readonly missing?: string | undefined;
  /** The hashes of the plans from files that are in service. */
  readonly hashes: ReadonlySet<string>;
  /** Parts that the gateway depends on and cannot use. */
  readonly unavailable: ReadonlySet<StorePart>;
  /** The number of lost records since the process started, by intended destination. */
  readonly dropped: Readonly<Record<string, number>>;
}

/** How a gateway reaches the receivers of its alerts. */
export interface AlertTransports {
  readonly settings: NonNullable<GatewayFile['alerts']>;
  /** Sends the alerts. */
  readonly http: SinkHttp;
  /** Returns the value of a text in the settings, which may be a reference. Undefined if it is not set. */
  readonly read: (text: string) => string | undefined;
}

export interface AlertOptions extends AlertTransports {
  readonly health: () => AlertedHealth;
  /** Returns the slug of a workspace. Absent without a store. */
  readonly findSlug?: ((workspace: string) => Promise<string | undefined>) | undefined;
  /** How long queued messages may still be sent once the gateway closes, in milliseconds. */
  readonly closeMs: () => number;
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}

/** The options for each worker's part of alerts. */
export interface WorkerAlertOptions extends Pick<AlertOptions, 'health'> {
  readonly settings: AlertTransports['settings'];
  /** Sends the inputs of alerts to the process that owns the worker. */
  readonly send: (news: unknown) => void;
}

/** The options of the alerts of all workers. */
export interface OwnerAlertOptions extends Omit<AlertOptions, 'health'> {
  /** Returns the state of the process itself. */
  readonly own: () => Pick<AlertedHealth, 'unavailable' | 'dropped'>;
}

/** The alerts of all workers, in the process that owns them. */
export interface OwnerAlerts {
  /** Takes news from a worker, as sent by its part of alerts. */
  receive(worker: number, news: unknown): void;
  /** Called when a worker has ended. */
  leave(worker: number): void;
  status(): readonly AlertStatus[];
  close(): Promise<void>;
}

/** The alerts of one gateway, as the gateway uses them. They end with the hook `close` of their plugin. */
export interface Alerts {
  readonly plugin: Plugin;
  readonly status: () => readonly AlertStatus[];
}
