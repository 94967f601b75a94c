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
  /** Further lines of help: what one needs to know beside the options. */
  readonly notes?: string;
  /** Whole lines that can be run as they are. */
  readonly examples?: readonly string[];
}

/** A command and those below it: what help, completion and tests walk. */
export interface CommandTree {
  /** Absent for a word that only stands before other commands. */
  readonly spec?: CommandSpec;
  /** Its line in a list of commands; the summary if absent. */
  readonly headline?: string;
  /** The commands that begin with its name, by their next word. */
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
  /** The values it may have; any where absent. */
  readonly choices?: readonly string[];
  /** It may be given several times: its value is a list. */
  readonly many?: boolean;
  /** Its value has parts with commas between them: several values are one. */
  readonly joins?: boolean;
}

/** The values of a command's options; a member is absent where the flag is. */
export type OptionValues<Options extends OptionSpecs> = {
  readonly [Name in keyof Options]?: Options[Name]['type'] extends 'boolean'
    ? boolean
    : Options[Name] extends { readonly many: true }
      ? readonly string[]
      : Options[Name] extends { readonly choices: readonly (infer Choice)[] }
        ? Choice
        : string;
};
