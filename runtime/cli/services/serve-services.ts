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
  /** Whether a person runs it in a terminal. Default: false. */
  readonly isTerminal?: boolean;
  /** Writes output. It is dropped and counted while nobody reads it. The same applies to `stderr`. */
  stdout(text: string): void;
  /**
   * Writes a message. If several workers reach the same `state`, only the last one prints it. Without `state`, each prints its
   * own.
   */
  stderr(text: string, state?: string): void;
  /** Returns how many texts were dropped so far. If absent, none. */
  dropped?(): number;
  /** Settles when all of it has been read. */
  flushed(): Promise<void>;
  /** Returns the text of a file, or `undefined` if there is none. */
  readFile(path: string): Promise<string | undefined>;
  /**
   * Listens to `SIGTERM`, `SIGINT` and `SIGHUP`, or to the given signals. Other signals still end the process unless something
   * else listens. Returns a function that stops listening.
   */
  onSignal(listener: (signal: ServeSignal) => void, signals?: readonly ServeSignal[]): () => void;
  /** Ends the process immediately. */
  exit(code: number): void;
}

/** A text and the file that contains it. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/** The services that the composition root passes to `serve`. Each loader is called at most once, when it is needed. */
export interface ServeServices {
  readonly io: ServeIo;
  /** Reads the gateway file and loads the plugins it names. Without one, loads the plugins that come with the gateway. */
  readonly environment: (
    gatewayFile: TextFile | undefined,
    /** Set for a worker: the link to the isolated plugins of its owner. */
    isolation?: IsolationLink,
  ) => Promise<ServeEnvironment>;
  readonly compiler: (environment: ServeEnvironment) => Promise<ServeCompiler>;
  /** Opens the control plane. Throws a `ServeFailure`. */
  readonly control: (options: ControlOptions) => Promise<ControlPlane>;
  /** Creates the metrics of the gateway. Throws a `ServeFailure`. */
  readonly metrics: (options: MetricsOptions) => Promise<Metrics>;
  /** Creates the plugin that sends traces and metrics to a receiver. Throws a `ServeFailure`. */
  readonly telemetry: (options: TelemetryOptions) => Promise<Plugin>;
  /** Opens the receivers of alerts. */
  readonly alerts: (options: AlertOptions) => Promise<Alerts>;
  /** Creates the plugin with which a worker passes on the inputs of alerts. */
  readonly workerAlerts: (options: WorkerAlertOptions) => Promise<Plugin>;
  /** Opens the overload protection. */
  readonly overload: (options: OverloadOptions) => Promise<OpenedOverload>;
  /**
   * Serves with several processes until the gateway is stopped, and resolves to the exit code. Undefined, without doing anything,
   * if this machine has work for only one. Throws a `ServeFailure`.
   */
  readonly workers: (options: WorkersOptions) => Promise<number | undefined>;
  /** Renders diagnostics about one text for people. */
  readonly render: (diagnostics: readonly Diagnostic[], about: TextFile) => Promise<string>;
}
