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

/** The result of running `git`. */
export interface GitResult {
  readonly code: number;
  readonly out: Buffer;
  readonly err: string;
}

/** Runs `git` with these arguments in a folder. Rejects with a `UsageError` if that is not possible. */
export type RunGit = (args: readonly string[], cwd: string) => Promise<GitResult>;

/** A command's access to the outside: files, streams, colours. Paths are relative to the working folder, or absolute. */
export interface CommandIo {
  readonly cwd: string;
  /** The environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: TextOutput;
  readonly err: TextOutput;
  /** Returns the kind of a path; `undefined` if nothing is there. Rejects if access is denied. */
  readKind(path: string): Promise<'file' | 'folder' | undefined>;
  /** Whether it is a pipe or a device, which may never end. */
  isEndless(path: string): Promise<boolean>;
  /** Reads a file as UTF-8. */
  readFile(path: string): Promise<string>;
  /** Reads the bytes of a file, or for `-` of the standard input, as they arrive. */
  readChunks(path: string): AsyncIterable<Uint8Array>;
  /** Returns a path with all links resolved, so that what is named through two links is read once. */
  realPath(path: string): Promise<string>;
  /** The names in a folder, sorted. */
  list(folder: string): Promise<readonly string[]>;
  /** Asks the person at the terminal a yes-or-no question; absent without a terminal. */
  readonly ask?: (question: string) => Promise<boolean>;
  /**
   * Writes all of the files or none of them; readers never see half of a file. Creates folders; does not touch files that are
   * equal. Rejects if one of them is a pipe or a device.
   */
  writeFiles(files: ReadonlyMap<string, string>): Promise<void>;
}

export interface TextOutput {
  write(text: string): void;
  /** Whether a person reads it, so that colours can be used. */
  readonly colour: boolean;
  /** The stream that texts are written to, if there is one. */
  readonly stream?: Writable;
}

/** Everything that a gateway file adds to what the compiler knows. `diagnostics` lists what is wrong in the file itself. */
export interface Environment {
  readonly plugins: readonly Plugin[];
  /** Everything that the plugins provide, by name. */
  readonly catalogue: Catalogue;
  readonly saved: Saved;
  /**
   * The absolute path of the folder of its configs. These can use names that are saved in the gateway file, but none from a
   * store.
   */
  readonly configsFolder?: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Adds the place in the gateway file to a problem; absent without a gateway file. */
  readonly diagnose?: (problem: PlacedProblem) => Diagnostic;
  /** Finds the places where the gateway file names a config that is not one of these; absent without a gateway file. */
  readonly unknownConfigs?: (names: readonly string[]) => Promise<readonly Diagnostic[]>;
  /** Whether bodies that no guardrail can read are passed through; `judged` (they are not) if absent. */
  readonly passThrough?: 'judged' | 'allow';
  /** How guardrails read bodies; by default the new turns and all members. */
  readonly reading?: TextReading;
  /** Whether a request that loses something in translation is rejected; `tell` (it is not) if absent. */
  readonly onLoss?: 'tell' | 'refuse';
  /** Whether unknown headers with the gateway's prefix are ignored; `refuse` if absent. */
  readonly unknownHeaders?: 'refuse' | 'ignore';
  /** Whether requests get hints about what their provider may cache; `off` if absent. */
  readonly promptCache?: 'off' | 'auto';
  /** Whether it names a provider that makes vectors of texts; unknown if absent. */
  readonly makesVectors?: boolean;
  /** The saved provider, `@slug`, and the model that make the vectors of its semantic cache. */
  readonly embedder?: { readonly provider: string; readonly model: string };
  /** Returns why nothing is sent to the host of a URL; absent without a gateway file. */
  readonly findUntrusted?: FindUntrusted;
  /** Whether it names a store, in which limits are checked; false if absent. */
  readonly hasStore?: boolean;
  /** Whether the gateway file could not be read; everything else is then as for an empty file. */
  readonly unread?: boolean;
  /** The plugins that could not be loaded, as the gateway file names them. */
  readonly brokenPlugins?: readonly string[];
  /** The details of each plugin that the gateway file names and that could be loaded. */
  readonly pluginDetails?: readonly PluginDetails[];
  /** Loads what is known about models apart from the price table; if absent, nothing is known. */
  readonly findModel?: () => Promise<FindModelFacts>;
  /** Loads what is known about the model that a target calls; undefined if that is nothing, or if the request names the model. */
  readonly targetModel?: (target: Target) => Promise<TargetModel | undefined>;
  /** Returns the price of a call with this many tokens, in billionths of a US dollar; undefined if unknown. */
  readonly priceCall?: (
    target: Target,
    tokens: { readonly input: number; readonly output: number },
  ) => Promise<number | undefined>;
  /** Plugins in separate processes, which the compiler and the linker query. */
  readonly isolated?: readonly QueriedPlugin[];
}

/** The model that a target calls. */
export interface TargetModel {
  readonly facts: ModelFacts;
  /** The maximum number of tokens of an answer, as limited by the config or by the model; undefined if neither is known. */
  readonly output?: number | undefined;
  /** The price of a call that fills its context and its answer, in billionths of a US dollar; undefined if unknown. */
  readonly nanoUsd?: number | undefined;
}

/** A plugin that answers questions asynchronously. */
export interface QueriedPlugin {
  /** Starts to collect questions, for whose answers `settle` waits. */
  begin(): void;
  /** Waits for the answers. Resolves to whether there were any. */
  settle(): Promise<boolean>;
  /** Requests what is needed to link the call, if the check belongs to this plugin. */
  prepare(call: CheckCall): void;
}

/** A plugin that the gateway file names. */
export interface PluginDetails {
  /** Its own name. */
  readonly plugin: string;
  readonly file: string;
  readonly version?: string;
  /** The range of SDK versions that it supports. */
  readonly sdk?: string;
  readonly isIsolated: boolean;
  readonly permissions: Required<PluginPermissions>;
  readonly integrity: ContentHash;
}

export interface CompileCommandOptions extends ConfigToCompile {
  readonly environment: Environment;
  /** The owner of the text; an operator's file if absent. */
  readonly trust?: 'operator' | 'saved';
}

/** The gateway to use, and the place in its store; taken from the environment if absent. */
export interface StoreFlags {
  readonly profile?: string | undefined;
  readonly workspace?: string | undefined;
}

/** The services that the composition root passes to commands. They connect the compiler with plugins and the runtime. */
export interface CommandServices {
  readonly io: CommandIo;
  /** Loads the gateway file and the plugins that it names; without a gateway file, the plugins that come with the gateway. */
  environment(gatewayFile: string | undefined, text: string | undefined): Promise<Environment>;
  compile(text: string, options: CompileCommandOptions): CompiledConfig | Promise<CompiledConfig>;
  /**
   * Starts threads that compile as `compile` does in the environment of this gateway file, whose plugins are those that come with
   * the gateway; absent if everything is done in one thread.
   */
  threads?(gatewayFile: string | undefined, text: string | undefined): Promise<CompileThreads>;
  /** Loads a plugin (a package, a folder, a file or a tarball) in a separate process, and checks it. */
  verifyPlugin(target: string): Promise<PluginReport>;
  /** Returns why a gateway whose file trusts no hosts sends no requests to this base URL; undefined if it does. */
  findHostError(baseUrl: string): Promise<HostError | undefined>;
  /** The versions of this package and of the plugin SDK. */
  readonly versions: { readonly gatewright: string; readonly sdk: string };
  /** The store of a gateway. Rejects with a `UsageError`, as its methods do. */
  store(flags: StoreFlags): Promise<AskedStore>;
  /** Does the same, or resolves to undefined if nothing names a gateway. */
  storeIfSet(flags: StoreFlags): Promise<AskedStore | undefined>;
  /** Runs `git` to read revisions. */
  git: RunGit;
  /** Links the plan and runs traffic through it, with simulated upstreams and a simulated clock. */
  simulate(plan: RoutingPlan, simulation: Simulation, environment: Environment): Promise<void>;
  /** Links the plan and runs one request through it, with simulated upstreams and a simulated clock. */
  replay(plan: RoutingPlan, script: RequestScript, environment: Environment): Promise<Replay>;
}
