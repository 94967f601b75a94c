import type { Writable } from 'node:stream';
import type { TextReading } from '../../../plugins/sdk/dialect/text-span.ts';
import type { HostError } from '../../../plugins/sdk/http/host-error.ts';
import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { Plugin, PluginPermissions } from '../../../plugins/sdk/plugin/plugin.ts';
import type { PluginReport } from '../../../plugins/sdk/plugin/plugin-report.ts';
import type { Saved } from '../../../schema/config/saved.ts';
import type { AskedStore } from '../../../schema/config/saved-names.ts';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import type { Simulation } from '../../../schema/forecast/simulation.ts';
import type { FindUntrusted } from '../../../schema/http/is-trusted.ts';
import type { ContentHash } from '../../../schema/json/canonical.ts';
import type { FindModelFacts } from '../../../schema/model-facts/find-facts.ts';
import type { ModelFacts } from '../../../schema/model-facts/model-facts.ts';
import type { CheckCall, RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import type { Replay, RequestScript } from '../../../schema/trail/request-script.ts';
import type { PlacedProblem } from '../../diagnostics/placed-problem.ts';
import type { CompileThreads } from './compile-threads.ts';
import type { CompiledConfig, ConfigToCompile } from './config-to-compile.ts';

/** The end of a `git` that was run. */
export interface GitResult {
  readonly code: number;
  readonly out: Buffer;
  readonly err: string;
}

/** Runs `git` with these arguments in a folder. Rejects with a `UsageError` where that cannot be done. */
export type RunGit = (args: readonly string[], cwd: string) => Promise<GitResult>;

/** A command's way to the outside: files, streams, colours. Paths are relative to the working folder, or absolute. */
export interface CommandIo {
  readonly cwd: string;
  /** The variables of the environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: TextOutput;
  readonly err: TextOutput;
  /** Reads the kind of a path; `undefined` for nothing. Rejects where it may not be looked at. */
  readKind(path: string): Promise<'file' | 'folder' | undefined>;
  /** Whether it is a pipe or a device, which may never end. */
  isEndless(path: string): Promise<boolean>;
  /** UTF-8. */
  readFile(path: string): Promise<string>;
  /** The bytes of a file, or with `-` of the standard input, as they come. */
  readChunks(path: string): AsyncIterable<Uint8Array>;
  /** Where a path leads once links are followed; what is read through two links is read once. */
  realPath(path: string): Promise<string>;
  /** The names in a folder, sorted. */
  list(folder: string): Promise<readonly string[]>;
  /** Asks the person at the terminal a question that yes or no answers; absent where there is no terminal. */
  readonly ask?: (question: string) => Promise<boolean>;
  /** All of the files or none of them: readers never see half of one. Folders are made; equal files are left alone. */
  writeFiles(files: ReadonlyMap<string, string>): Promise<void>;
}

export interface TextOutput {
  write(text: string): void;
  /** A person looks at it: colours are welcome. */
  readonly colour: boolean;
  /** The stream that texts are written to, where there is one. */
  readonly stream?: Writable;
}

/** Everything that a gateway file adds to the compiler's knowledge. `diagnostics` has what is wrong in the file itself. */
export interface Environment {
  readonly plugins: readonly Plugin[];
  /** Everything that the plugins provide, by name. */
  readonly catalogue: Catalogue;
  readonly saved: Saved;
  /** The folder of its configs, absolute: those can name what is saved in the gateway file, and nothing of a store. */
  readonly configsFolder?: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Gives a finding its place in the gateway file; absent without one. */
  readonly diagnose?: (problem: PlacedProblem) => Diagnostic;
  /** Finds where the gateway file names a config that is none of these; absent without a gateway file. */
  readonly unknownConfigs?: (names: readonly string[]) => Promise<readonly Diagnostic[]>;
  /** Whether bodies that no guardrail can read are passed through; `judged`, that is not, where absent. */
  readonly passThrough?: 'judged' | 'allow';
  /** How guardrails read bodies; the new turns, and all members, where absent. */
  readonly reading?: TextReading;
  /** Whether a request that loses something in translation is refused; `tell`, that is not, where absent. */
  readonly onLoss?: 'tell' | 'refuse';
  /** Whether headers that have the gateway's prefix and that it does not know are ignored; `refuse` where absent. */
  readonly unknownHeaders?: 'refuse' | 'ignore';
  /** Whether requests get hints at what their provider may cache of them; `off` where absent. */
  readonly promptCache?: 'off' | 'auto';
  /** Whether it names a provider that makes vectors of texts; not known where absent. */
  readonly makesVectors?: boolean;
  /** The saved provider, `@slug`, and the model that make the vectors of its semantic cache. */
  readonly embedder?: { readonly provider: string; readonly model: string };
  /** Why nothing is sent to the host of a URL; absent without a gateway file. */
  readonly findUntrusted?: FindUntrusted;
  /** Whether it names a store, with which limits are asked; false where absent. */
  readonly hasStore?: boolean;
  /** The gateway file could not be read, and the rest is as of an empty one. */
  readonly unread?: boolean;
  /** The plugins that could not be loaded, as the gateway file names them. */
  readonly brokenPlugins?: readonly string[];
  /** Details of each plugin that the gateway file names, and that could be loaded. */
  readonly pluginDetails?: readonly PluginDetails[];
  /** Loads what is known of models but for the price table; nothing is where absent. */
  readonly findModel?: () => Promise<FindModelFacts>;
  /** Loads what is known of the model that a target calls; undefined where that is nothing, or where a request names it. */
  readonly targetModel?: (target: Target) => Promise<TargetModel | undefined>;
  /** The price of a call of so many tokens, in billionths of a US dollar; undefined where it is not known. */
  readonly priceCall?: (
    target: Target,
    tokens: { readonly input: number; readonly output: number },
  ) => Promise<number | undefined>;
  /** Plugins in processes of their own, which the compiler and the linker ask. */
  readonly isolated?: readonly AskedPlugin[];
}

/** The model that a target calls. */
export interface TargetModel {
  readonly facts: ModelFacts;
  /** The most tokens of an answer: as the config bounds it, or as the model does; undefined where neither is known. */
  readonly output?: number | undefined;
  /** The price of a call that fills its context and its answer, in billionths of a US dollar; undefined where that is not known. */
  readonly nanoUsd?: number | undefined;
}

/** A plugin that answers later what it is asked. */
export interface AskedPlugin {
  /** From here on, what is asked is waited for by `settle`. */
  begin(): void;
  /** Waits for what was asked; whether anything was answered. */
  settle(): Promise<boolean>;
  /** Asks what linking the call needs to know, if the check is one of its own. */
  prepare(call: CheckCall): void;
}

/** A plugin that the gateway file names. */
export interface PluginDetails {
  /** Its own name. */
  readonly plugin: string;
  readonly file: string;
  readonly version?: string;
  /** The range of versions that it is made for. */
  readonly sdk?: string;
  readonly isIsolated: boolean;
  readonly permissions: Required<PluginPermissions>;
  readonly integrity: ContentHash;
}

export interface CompileCommandOptions extends ConfigToCompile {
  readonly environment: Environment;
  /** The owner of the text; an operator's file where absent. */
  readonly trust?: 'operator' | 'saved';
}

/** The gateway that is asked, and the place in its store: as the environment says where absent. */
export interface StoreFlags {
  readonly profile?: string | undefined;
  readonly workspace?: string | undefined;
}

/** The services that the composition root gives to commands: they join the compiler with plugins and the runtime. */
export interface CommandServices {
  readonly io: CommandIo;
  /** Loads the gateway file and the plugins it names; without one, the plugins that come with the gateway. */
  environment(gatewayFile: string | undefined, text: string | undefined): Promise<Environment>;
  compile(text: string, options: CompileCommandOptions): CompiledConfig | Promise<CompiledConfig>;
  /**
   * Threads that compile as `compile` does in the environment of this gateway file, whose plugins are those that come with the
   * gateway; absent where all is done in one thread.
   */
  threads?(gatewayFile: string | undefined, text: string | undefined): Promise<CompileThreads>;
  /** Loads a plugin (a package, a folder, a file or a tarball) in a process of its own, and checks it. */
  verifyPlugin(target: string): Promise<PluginReport>;
  /** Why a gateway whose file trusts no hosts sends no requests to this base URL; undefined where it does. */
  findHostError(baseUrl: string): Promise<HostError | undefined>;
  /** The versions of this package and of the plugin SDK. */
  readonly versions: { readonly gatewright: string; readonly sdk: string };
  /** The store of a gateway. Rejects with a `UsageError`, as its methods do. */
  store(flags: StoreFlags): Promise<AskedStore>;
  /** The same, or undefined where nothing names a gateway. */
  storeIfSet(flags: StoreFlags): Promise<AskedStore | undefined>;
  /** Runs `git`, which reads revisions. */
  git: RunGit;
  /** Links the plan and runs traffic through it, with upstreams and a clock that play their parts. */
  simulate(plan: RoutingPlan, simulation: Simulation, environment: Environment): Promise<void>;
  /** Links the plan and runs one request through it, with upstreams and a clock that play their parts. */
  replay(plan: RoutingPlan, script: RequestScript, environment: Environment): Promise<Replay>;
}
