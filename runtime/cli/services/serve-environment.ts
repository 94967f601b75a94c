import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { SinkEntry } from '../../../plugins/sdk/sink/sink-entry.ts';
import type { Saved } from '../../../schema/config/saved.ts';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { FindUntrusted } from '../../../schema/http/is-trusted.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { CheckCall, CompileResult, KeptCompileResult, RoutingPlan } from '../../../schema/plan/plan.ts';
import type { Timed } from '../../plans/compile-shares.ts';
import type { LoadedPart } from './loaded-part.ts';

/** A plugin in a process of its own. */
export interface IsolatedPart {
  readonly name: string;
  /** Puts the version on disk on trial, if it is another one; whether plans must be compiled again. */
  refresh(): Promise<boolean>;
  /** Ends the version before the one on trial, when its requests are done. */
  confirm(): void;
  /** Goes back to the version before the one on trial; says why. */
  revert(reason: string): void;
  /** Why the version on disk is not in service. */
  readonly problem: string | undefined;
  /** From here on, what the compiler asks of it is waited for by `settle`. */
  begin(): void;
  /** Waits for what the compiler asked of it; whether anything was answered. */
  settle(): Promise<boolean>;
  /** Asks what linking the call needs to know, if the check is one of its own. */
  prepare(call: CheckCall): void;
}

/** The isolated plugins of the process that owns workers, whose checks these run. */
export interface IsolationOwner {
  /** Answers a worker, which it may ask to send requests of a check meanwhile. */
  answer(worker: number, question: unknown, askWorker: (request: unknown) => Promise<unknown>): Promise<unknown>;
  /** A worker has ended. */
  leave(worker: number): void;
  close(): void;
}

/** The way of a worker to the isolated plugins of its owner. */
export interface IsolationLink {
  /** Rejects where there is no answer within so many milliseconds, or the owner has ended. */
  ask(question: unknown, ms: number): Promise<unknown>;
  /** Answers the owner's requests from now on. */
  onRequest(answer: (request: unknown) => Promise<unknown>): void;
}

/** A problem at a place of the gateway file that is found when its configs have been read. */
export interface FileProblem {
  readonly code: string;
  readonly pointer: JsonPointer;
  readonly message: string;
  readonly hint: string;
}

/** The gateway file, read, with the plugins it names loaded. Without a file: the plugins that come with the gateway. */
export interface ServeEnvironment {
  /** Empty without a file. */
  readonly settings: GatewayFile;
  readonly plugins: readonly Plugin[];
  /** The files of each plugin that the gateway file names; called once. */
  readonly pluginFiles: () => Promise<readonly LoadedPart[]>;
  /** The plugins that run in processes of their own. */
  readonly isolated: readonly IsolatedPart[];
  /** Lets workers use them; absent without a file. */
  readonly isolationOwner?: () => Promise<IsolationOwner>;
  /** Lets them answer what the linker will ask of a plan. */
  readonly prepare?: (plan: RoutingPlan) => Promise<void>;
  readonly saved: Saved;
  /** Why nothing is sent to the host of a URL, for the warnings of configs; absent without a file. */
  readonly findUntrusted?: FindUntrusted;
  /** The sinks of the log that the gateway file names; none if absent. */
  readonly sinks?: readonly SinkEntry[];
  /** The file's problems; if one is an error, nothing is served. */
  readonly diagnostics: readonly Diagnostic[];
  /** Gives a problem its place in the file; absent without a file. */
  diagnose?(problem: FileProblem): Diagnostic;
}

/** The compiler, which knows the plugins and the saved values. */
export interface ServeCompiler {
  compileOperator(text: string, file: string): CompileResult | Promise<CompileResult>;
  compileCaller(text: string, timed?: Timed): CompileResult | Promise<CompileResult>;
  /** A config that a tenant has saved, with what it can name. */
  compileSaved(
    text: string,
    options: { readonly saved: Saved; readonly name: string; readonly timed?: Timed | undefined },
  ): KeptCompileResult | Promise<KeptCompileResult>;
  /** The plan with the checks of `defaults`, a plan of one leaf, at the end of those of every leaf. */
  withDefaultHooks(plan: RoutingPlan, defaults: RoutingPlan): RoutingPlan;
  /** The compiler for the callers of a tenant, with what these can name. */
  callerCompiler(saved: Saved): (text: string, timed?: Timed) => CompileResult | Promise<CompileResult>;
}
