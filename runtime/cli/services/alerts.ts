import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { SinkHttp } from '../../../plugins/sdk/sink/sink.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { AlertStatus } from '../../status-pages/alert-status.ts';

/** The state of a gateway, at this moment. */
export interface AlertedHealth {
  /** Files that were not accepted. */
  readonly refused: readonly { readonly file: string; readonly reason: string }[];
  /** Why requests that name no config are not served; absent where they are. */
  readonly missing?: string | undefined;
  /** The hashes of the plans of files that are in service. */
  readonly hashes: ReadonlySet<string>;
  /** Parts that the gateway depends on and cannot use. */
  readonly unavailable: ReadonlySet<'store' | 'writes' | 'counters' | 'log'>;
  /** Counts of lost records since the process started, by where they should have gone. */
  readonly dropped: Readonly<Record<string, number>>;
}

/** The ways of a gateway to the receivers of its alerts. */
export interface AlertWays {
  readonly settings: NonNullable<GatewayFile['alerts']>;
  /** By which they are sent. */
  readonly http: SinkHttp;
  /** The value of a text of the settings, which may be a reference; undefined where it is not set. */
  readonly read: (text: string) => string | undefined;
}

export interface AlertOptions extends AlertWays {
  readonly health: () => AlertedHealth;
  /** Reads the slug of a workspace; absent without a store. */
  readonly findSlug?: ((workspace: string) => Promise<string | undefined>) | undefined;
  /** For how many milliseconds what waits may be sent once the gateway closes. */
  readonly closeMs: () => number;
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}

/** The options of the part of alerts that each worker has. */
export interface WorkerAlertOptions extends Pick<AlertOptions, 'health'> {
  readonly settings: AlertWays['settings'];
  /** Sends to the process that owns the worker what alerts are made of. */
  readonly send: (news: unknown) => void;
}

/** The options of the alerts of all workers. */
export interface OwnerAlertOptions extends Omit<AlertOptions, 'health'> {
  /** Counts what the process itself has lost since it started, as `AlertedHealth` does. */
  readonly dropped: () => AlertedHealth['dropped'];
}

/** The alerts of all workers, in the process that owns them. */
export interface OwnerAlerts {
  /** Takes news of a worker, as its part of alerts has sent them. */
  receive(worker: number, news: unknown): void;
  /** A worker has ended. */
  leave(worker: number): void;
  status(): readonly AlertStatus[];
  close(): Promise<void>;
}

/** The alerts of one gateway, as it uses them. They end with the hook `close` of their plugin. */
export interface Alerts {
  readonly plugin: Plugin;
  readonly status: () => readonly AlertStatus[];
}
