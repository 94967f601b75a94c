import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import type { AlertOptions, Alerts, WorkerAlertOptions } from './alerts.ts';
import type { ControlOptions, ControlPlane } from './control-plane.ts';
import type { OpenedOverload, OverloadOptions } from './overload.ts';
import type { IsolationLink, ServeCompiler, ServeEnvironment } from './serve-environment.ts';
import type { Metrics, MetricsOptions, TelemetryOptions } from './telemetry.ts';
import type { WorkersOptions } from './workers.ts';

export type ServeSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGUSR2';

export interface ServeIo {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a person runs it in a terminal; false if absent. */
  readonly isTerminal?: boolean;
  /** Output is dropped, and counted, while it is not read; the same for `stderr`. */
  stdout(text: string): void;
  /** Of several workers that have come to the same `state`, the last one prints the text; each its own where that is absent. */
  stderr(text: string, state?: string): void;
  /** How many texts were dropped so far; none if absent. */
  dropped?(): number;
  /** Settles when all of it has been read. */
  flushed(): Promise<void>;
  /** The text of a file; `undefined` where there is none. */
  readFile(path: string): Promise<string | undefined>;
  /**
   * `SIGTERM`, `SIGINT`, `SIGHUP`, or those that are listed: others go on to end the process, where nothing else listens to them.
   * Returns a function that stops listening.
   */
  onSignal(listener: (signal: ServeSignal) => void, signals?: readonly ServeSignal[]): () => void;
  /** Ends the process immediately. */
  exit(code: number): void;
}

/** A text and the file it is in. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/** The services that the composition root passes to `serve`. Each loader is called at most once, when it is needed. */
export interface ServeServices {
  readonly io: ServeIo;
  /** Reads the gateway file and loads the plugins it names; without one, the plugins that come with the gateway. */
  readonly environment: (
    gatewayFile: TextFile | undefined,
    /** Given to a worker: the way to the isolated plugins of its owner. */
    isolation?: IsolationLink,
  ) => Promise<ServeEnvironment>;
  readonly compiler: (environment: ServeEnvironment) => Promise<ServeCompiler>;
  /** Opens the control plane. Throws a `ServeFailure`. */
  readonly control: (options: ControlOptions) => Promise<ControlPlane>;
  /** Makes the metrics of the gateway. Throws a `ServeFailure`. */
  readonly metrics: (options: MetricsOptions) => Promise<Metrics>;
  /** Makes the plugin that sends traces and metrics to a receiver. Throws a `ServeFailure`. */
  readonly telemetry: (options: TelemetryOptions) => Promise<Plugin>;
  /** Opens the receivers of alerts. */
  readonly alerts: (options: AlertOptions) => Promise<Alerts>;
  /** Makes the plugin by which a worker hands over what alerts are made of. */
  readonly workerAlerts: (options: WorkerAlertOptions) => Promise<Plugin>;
  /** Opens the protection against overload. */
  readonly overload: (options: OverloadOptions) => Promise<OpenedOverload>;
  /**
   * Serves by several processes until the gateway is stopped; resolves to the exit code. Undefined, and nothing is done, where
   * this machine has work for one alone. Throws a `ServeFailure`.
   */
  readonly workers: (options: WorkersOptions) => Promise<number | undefined>;
  /** Diagnostics about one text, for people. */
  readonly render: (diagnostics: readonly Diagnostic[], about: TextFile) => Promise<string>;
}
