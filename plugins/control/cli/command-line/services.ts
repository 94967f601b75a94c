import type { CommandSpec } from '../../../../schema/command-help/command-spec.ts';
import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { ModelFacts } from '../../../../schema/model-facts/model-facts.ts';
import type { ShownPrices } from '../../../../schema/model-facts/readable-prices.ts';

/** A command failed: the fact in one sentence, and what to do in another. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly hint: string;
  readonly exitCode: ExitCode;

  constructor(fact: string, hint: string, exitCode: ExitCode = 2) {
    super(fact);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** Ends a command that cannot be run as given. */
export const usageFailure = (fact: string, hint: string): CommandFailure => new CommandFailure(fact, hint, 2);

/** Ends a command that cannot be run as given unless a condition holds. */
export function assertUsable(holds: boolean, fact: string, hint: string): asserts holds {
  if (!holds) throw usageFailure(fact, hint);
}

/** Ends a command whose work failed. */
export const runFailure = (fact: string, hint: string): CommandFailure => new CommandFailure(fact, hint, 1);

/** A stream to which a command prints. */
export interface Printer {
  write(text: string): void;
  /** Whether a person reads it, so that colours are useful. */
  readonly colour: boolean;
}

/** The flags of a command line. An absent flag is undefined, and a repeatable flag is a list. */
export type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Returns the text of a flag, if it has one. */
export const findFlagText = (value: FlagValues[string]): string | undefined =>
  typeof value === 'string' ? value : undefined;

interface CommandLine {
  readonly help: boolean;
  readonly values: FlagValues;
  readonly positionals: readonly string[];
}

/** A JSON file that was read. */
type ReadJson =
  | {
      readonly value: Json;
      /** Returns a finding with its place in the text, or with the nearest existing place. */
      locate(diagnostic: LocatedDiagnostic): Diagnostic;
    }
  | { readonly value?: never; readonly diagnostics: readonly Diagnostic[] };

/** The gateway's finding about a JSON value. */
export interface LocatedDiagnostic extends Pick<Diagnostic, 'code' | 'severity' | 'message' | 'hint'> {
  readonly pointer: JsonPointer;
}

/** The facts of all models. */
export interface KnownModels {
  /** The providers of saved ones, by `@slug`, if they use the provider's own host and therefore have the same models. */
  readonly kinds: ReadonlyMap<string, string>;
  /** Sorted by provider and model. */
  readonly facts: readonly ModelFacts[];
  /** The names that users may write for providers, with the names that facts use. */
  readonly providers: ReadonlyMap<string, string>;
  /** Whether the gateway file names a store, in which integrations may set prices. */
  readonly hasStore: boolean;
  /** Finds the prices of a model in the list that its facts name. */
  readonly findPrices: (facts: ModelFacts) => Promise<ShownPrices | undefined>;
}

/** The result for one list of a provider; `why` is a sentence. */
export type RefreshedList =
  | { readonly kind: 'read'; readonly provider: string; readonly count: number }
  | { readonly kind: 'skipped' | 'failed'; readonly provider: string; readonly why: string };

export interface RefreshedModels {
  readonly outcomes: readonly RefreshedList[];
  /** Configs with errors, whose providers were not queried. */
  readonly left: readonly string[];
  readonly gatewayFile: string;
  /** The file that contains the lists. */
  readonly file: string;
}

/** The services that the composition root passes to the commands of the control plane. */
export interface ControlServices {
  /** The folder against which paths are resolved. */
  readonly cwd: string;
  /** The folder of the user's settings. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: Printer;
  readonly err: Printer;
  /** Asks the person at the terminal a yes-or-no question; absent if there is no terminal. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  /**
   * Calls the listener at the first SIGINT or SIGTERM, instead of ending the process. The second one ends it. Returns a function
   * that stops listening.
   */
  onStop(listener: () => void): () => void;
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
  /** The number of characters in a line of that terminal. */
  readonly columns: number | undefined;
  /** Reads the text of a file, or of standard input for `-`. Throws an error for the user if it cannot be read. */
  readText(file: string): Promise<string>;
  /**
   * Writes all files, at absolute paths, or none; folders are created. Throws an error for the user if they cannot be written:
   * `named` is the path as the user wrote it, and `hint` a sentence that says what to do.
   */
  writeFiles(
    files: ReadonlyMap<string, string>,
    destination: { readonly named: string; readonly hint: string },
  ): Promise<void>;
  /** Parses arguments. Throws an error for the user if they are invalid. */
  parse(spec: CommandSpec, argv: readonly string[]): CommandLine;
  /** Returns the text of `--help`. */
  help(spec: CommandSpec): string;
  /** Parses JSON, with or without comments. */
  readJson(text: string, file: string): ReadJson;
  /** Formats a finding for a person, with the line that it is about. */
  render(diagnostic: Diagnostic, about: { readonly text: string; readonly colour: boolean }): string;
  /**
   * Returns the `providerFacts` of every provider, sorted by id, with the plugins of this gateway file, or of the one in the
   * folder.
   */
  providerFacts(gatewayFile: string | undefined): Promise<readonly JsonObject[]>;
  /** Loads the facts of models, with the plugins and statements of this gateway file, or of the one in the folder. */
  modelFacts(gatewayFile: string | undefined): Promise<KnownModels>;
  /** Reads the model lists of providers whose credentials a gateway file has, and writes the result beside it. */
  refreshModels(options: {
    readonly gatewayFile: string | undefined;
    readonly provider: string | undefined;
  }): Promise<RefreshedModels>;
  /** Returns the store that this gateway file names, or the one in the folder, if there is one. */
  configuredStore(gatewayFile: string | undefined): Promise<string | undefined>;
  /** Returns the master key that it refers to, as text. */
  configuredMasterKey(gatewayFile: string | undefined): Promise<string | undefined>;
}

/** 0: done. 1: the gateway refused it, or it failed. 2: the command cannot be run as given. */
export type ExitCode = 0 | 1 | 2;

/** Parses the arguments of a command and runs it, or prints its help if requested. */
export const withArguments = async (
  services: ControlServices,
  spec: CommandSpec,
  argv: readonly string[],
  run: (line: CommandLine) => Promise<ExitCode>,
): Promise<ExitCode> => {
  const line = services.parse(spec, argv);
  if (!line.help) return run(line);
  services.out.write(services.help(spec));
  return 0;
};
