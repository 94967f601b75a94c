import type { SinkEntry } from '../../../plugins/sdk/sink/sink-entry.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { ControlOptions } from './control-plane.ts';
import type { IsolatedPart, ServeEnvironment } from './serve-environment.ts';

/** The options for what the workers of a store share. */
export interface ControlOwnerOptions {
  /** The path of a SQLite file, or a PostgreSQL URL. */
  readonly url: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly masterKey?: ControlOptions['masterKey'];
  /** Whether it counts for limits. Otherwise a Redis does. */
  readonly counts: boolean;
  /** The gateway file's settings for the ledger. */
  readonly ledger?: NonNullable<GatewayFile['store']>['ledger'];
  /** The sinks of the log, with resolvable references. Default: none. */
  readonly sinks?: Required<Pick<ControlOptions, 'trustedHosts' | 'closeMs'>> &
    Pick<ControlOptions, 'egress'> & { readonly entries: readonly SinkEntry[] };
}

/** A gateway that is to be served by several processes. */
export interface WorkersOptions {
  readonly wanted: number | 'auto';
  /** The command line of `gw serve`, which each worker receives. */
  readonly argv: readonly string[];
  /** The part of it that determines which plans are served. */
  readonly options: { readonly plans?: string };
  readonly environment: ServeEnvironment & {
    /** The gateway file's path, if there is one. */
    readonly file?: string;
    readonly source?: { readonly file: string; readonly text: string };
  };
  readonly address: { readonly host: string; readonly port: number };
  /** The URL or path of the store. Absent without one. */
  readonly store: string | undefined;
  readonly drainMs: number;
  readonly drainDelayMs: number;
  /** The isolated plugins that are loaded again when their files change. */
  readonly refreshed: readonly IsolatedPart[];
  /** Lists the files that have changed since they were loaded, and take effect only after a restart. */
  readonly changedSince: () => Promise<readonly string[]>;
}
