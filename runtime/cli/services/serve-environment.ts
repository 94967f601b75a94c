import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { SinkEntry } from '../../../plugins/sdk/sink/sink-entry.ts';
import type { Saved } from '../../../schema/config/saved.ts';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { FindUntrusted } from '../../../schema/http/is-trusted.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { CheckCall, CompileResult, KeptCompileResult, RoutingPlan } from '../../../schema/plan/plan.ts';
import type { Timed } from '../../tenant-plans/compile-shares.ts';
import type { LoadedPart } from './loaded-part.ts';

/** A plugin in a separate process. */
export interface IsolatedPart {
  readonly name: string;
  /** Puts the version on disk on trial if it is a different one. Returns whether plans must be compiled again. */
  refresh(): Promise<boolean>;
  /** Ends the previous version, when its requests are done. */
  confirm(): void;
  /** Returns to the previous version, for the given reason. */
  revert(reason: string): void;
  /** Why the version on disk is not in service. */
  readonly problem: string | undefined;
  /** From here on, `settle` waits for what the compiler asks of the plugin. */
  begin(): void;
  /** Waits for what the compiler asked of the plugin. Returns whether anything was answered. */
  settle(): Promise<boolean>;
  /** Requests what linking the call needs to know, if the check is one of its own. */
  prepare(call: CheckCall): void;
}

/** The isolated plugins of the process that owns workers. They run the checks of these. */
export interface IsolationOwner {
  /** Answers a worker. Meanwhile it may ask the worker to send requests of a check. */
  answer(worker: number, question: unknown, askWorker: (request: unknown) => Promise<unknown>): Promise<unknown>;
  /** Called when a worker has ended. */
  leave(worker: number): void;
  close(): void;
}

/** A worker's link to the isolated plugins of its owner. */
export interface IsolationLink {
  /** Rejects if there is no answer within this many milliseconds, or if the owner has ended. */
  ask(question: unknown, ms: number): Promise<unknown>;
  /** From now on answers the owner's requests. */
  onRequest(answer: (request: unknown) => Promise<unknown>): void;
}

/** A problem at a place in the gateway file that is found when its configs have been read. */
export interface FileProblem {
  readonly code: string;
  readonly pointer: JsonPointer;
  readonly message: string;
  readonly hint: string;
}

/** The parsed gateway file, with the plugins it names loaded. Without a file: the plugins that come with the gateway. */
export interface ServeEnvironment {
  /** Empty without a file. */
  readonly settings: GatewayFile;
  readonly plugins: readonly Plugin[];
  /** Returns the files of each plugin that the gateway file names. Called once. */
  readonly pluginFiles: () => Promise<readonly LoadedPart[]>;
  /** The plugins that run in separate processes. */
  readonly isolated: readonly IsolatedPart[];
  /** Lets workers use them. Absent without a file. */
  readonly isolationOwner?: () => Promise<IsolationOwner>;
  /** Lets them answer in advance what the linker will ask for a plan. */
  readonly prepare?: (plan: RoutingPlan) => Promise<void>;
  readonly saved: Saved;
  /** Returns why nothing is sent to the host of a URL, for the warnings of configs. Absent without a file. */
  readonly findUntrusted?: FindUntrusted;
  /** The sinks of the log that the gateway file names. Default: none. */
  readonly sinks?: readonly SinkEntry[];
  /** The file's problems. If one is an error, nothing is served. */
  readonly diagnostics: readonly Diagnostic[];
  /** Adds the place in the file to a problem. Absent without a file. */
  diagnose?(problem: FileProblem): Diagnostic;
}

/** The compiler, which knows the plugins and the saved values. */
export interface ServeCompiler {
  compileOperator(text: string, file: string): CompileResult | Promise<CompileResult>;
  compileCaller(text: string, timed?: Timed): CompileResult | Promise<CompileResult>;
  /** Compiles a config that a tenant has saved, with what it can name. */
  compileSaved(
    text: string,
    options: { readonly saved: Saved; readonly name: string; readonly timed?: Timed | undefined },
  ): KeptCompileResult | Promise<KeptCompileResult>;
  /** Returns the plan with the checks of `defaults`, a plan of one leaf, appended to those of every leaf. */
  withDefaultHooks(plan: RoutingPlan, defaults: RoutingPlan): RoutingPlan;
  /** Returns the compiler for the callers of a tenant, with what they can name. */
  callerCompiler(saved: Saved): (text: string, timed?: Timed) => CompileResult | Promise<CompileResult>;
}
