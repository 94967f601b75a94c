/** A description of a command's arguments, for parsing and for `--help`. */
export interface CommandSpec<Options extends OptionSpecs = OptionSpecs> {
  /** `gw check`. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** The text after the name on the usage line, without the options. */
  readonly positionals: string;
  /** How many positionals it takes. */
  readonly takes: { readonly min: number; readonly max: number };
  readonly options: Options;
  /** Further lines of help, in addition to the options. */
  readonly notes?: string;
  /** Complete command lines that can be run unchanged. */
  readonly examples?: readonly string[];
}

/** A command and its subcommands, for help, completion and tests. */
export interface CommandTree {
  /** Absent for a word that only groups other commands. */
  readonly spec?: CommandSpec;
  /** Its line in a list of commands; the summary if absent. */
  readonly headline?: string;
  /** The subcommands, by their next word. */
  readonly commands?: { readonly [word: string]: CommandTree };
}

export interface OptionSpecs {
  readonly [name: string]: OptionSpec;
}

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  /** A word for the value, in capitals: `DIR`. */
  readonly value?: string;
  readonly describe: string;
  /** The values that it may have; any if absent. */
  readonly choices?: readonly string[];
  /** Whether it may be repeated, so that its value is a list. */
  readonly many?: boolean;
  /** Whether its value is a comma-separated list. Repeated values are joined into one. */
  readonly joins?: boolean;
}

/** The values of a command's options. A member is absent if its flag is. */
export type OptionValues<Options extends OptionSpecs> = {
  readonly [Name in keyof Options]?: Options[Name]['type'] extends 'boolean'
    ? boolean
    : Options[Name] extends { readonly many: true }
      ? readonly string[]
      : Options[Name] extends { readonly choices: readonly (infer Choice)[] }
        ? Choice
        : string;
};
