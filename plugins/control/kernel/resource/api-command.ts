import type { OptionSpec } from '../../../../schema/command-help/command-spec.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

/** How the text of a flag becomes a member of a request. */
export type FlagForm =
  /** As it is; what a flag has that says no form. */
  | 'text'
  /** Parts between commas. */
  | 'list'
  /** A whole number. */
  | 'number'
  /** A number, at least 0, with or without decimal places. */
  | 'decimal'
  /** A time as RFC 3339 writes it, which is sent in seconds since the epoch. */
  | 'time'
  /** A time, or how long ago that was, as `7d`; it is sent in seconds since the epoch. */
  | 'since'
  /** Half an hour as `30m`, which is sent in milliseconds. */
  | 'duration'
  /** The name of a variable of the environment, whose value is sent: secrets are not written on a command line. */
  | 'variable'
  /** `NAME=TEXT`, as often as it is given: a member of an object, or `member.NAME` of a query. */
  | 'pair'
  /** `yes` or `no`. */
  | 'choice'
  /** A flag without a value: true. */
  | 'yes';

/**
 * The names that there are for a flag: codes of errors, statuses, ids of providers that configs can name, ids of keys, models that
 * were asked lately, or slugs of what is saved at a path, `/configs`.
 */
export type KnownNames = 'errors' | 'statuses' | 'providers' | 'keys' | 'models' | { readonly saved: `/${string}` };

/** A flag of a command, and what it is of the request. */
export interface MemberFlag extends Omit<OptionSpec, 'type' | 'many'> {
  readonly form?: FlagForm;
  /** A whole number that the flag takes, for messages; 1 if absent. */
  readonly example?: number;
  /** The body if absent. */
  readonly in?: 'body' | 'query' | 'header';
  /** Its name there, with `/` before each member of a member; that of the flag if absent. */
  readonly member?: string;
  /** Other members of the body whose problems are reported with the name of the flag. */
  readonly about?: readonly string[];
  /** The names that it takes: one that is none of them is reported where nothing was found. */
  readonly known?: KnownNames;
  /** The word that takes away what is there: null is sent. */
  readonly none?: string;
}

export type MemberFlags = Readonly<Record<string, MemberFlag>>;

/** A file that a command reads. */
export interface BodyFile {
  /** As the usage line has it: `FILE`. */
  readonly name: string;
  readonly optional?: boolean;
  /** JSON if absent, with or without comments. */
  readonly format?: 'text';
  /** The member of the body that it is; the whole body if absent. */
  readonly member?: string;
  /** The member of the body that is the name of the file, without folder and ending, if nothing else says it. */
  readonly nameAs?: string;
  /** A whole body, for the help of the command. */
  readonly example?: string;
}

/** The columns of a table: their heads, and the member that each shows. */
export type Columns = Readonly<Record<string, string>>;

/** The values of a member by which an answer says that what was tried works. */
export interface PassingValues {
  readonly member: string;
  readonly values: readonly (string | boolean)[];
}

/** The unit in which the member `unpriced` counts: where it is above 0, costs are shown with how many they leave out. */
export type UnpricedUnit = 'attempt' | 'request';

/** How the answer of a command is shown to people. In sentences, `{slug}` is a member of the answer or an argument. */
export type Display =
  /** A line for each entry of a list: `data`, or the member that `rows` names. */
  | {
      readonly as: 'table';
      readonly columns: Columns;
      readonly rows?: string;
      readonly note?: string;
      readonly unpriced?: UnpricedUnit;
    }
  /** A line for each group of a report, and the total. */
  | { readonly as: 'sums'; readonly columns: Columns; readonly unpriced?: UnpricedUnit }
  /** A line for each member, and one member as it is below. The command fails where `passes` has another value. */
  | { readonly as: 'record'; readonly text?: string; readonly passes?: PassingValues }
  /** A sentence, and what is wrong with what was saved nevertheless. */
  | { readonly as: 'said'; readonly text: string }
  /** One member alone on standard output, and a sentence for people. */
  | { readonly as: 'member'; readonly member: string; readonly note: string }
  /** One member alone, which is a text of several lines. */
  | { readonly as: 'text'; readonly member: string }
  /** The record as JSON, or one member of it. */
  | { readonly as: 'json'; readonly member?: string }
  /** The record of a request: in short for people, and as JSON where neither a terminal nor a flag asks for text. */
  | { readonly as: 'request' }
  /** The text of a completion, as it comes. */
  | { readonly as: 'completion' }
  /** Lines of JSON, as they come. */
  | { readonly as: 'lines' };

/** One command for a resource of the control plane: one request, and how its answer is shown. */
export interface ApiCommand {
  readonly summary: string;
  /** The method and the path below `/v1`. What is in braces is given as arguments, in this order. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  readonly flags?: MemberFlags;
  readonly file?: BodyFile;
  /** Members of the body that neither a flag nor the file says. */
  readonly defaults?: JsonObject;
  /** The answer for people. */
  readonly shows: Display;
  /** The member of the answer that `--format` with its name prints alone, as JSON. */
  readonly alone?: string;
  readonly notes?: string;
}

/** The commands `gw NAME …`. */
export interface Resource {
  /** `configs`; `prompts labels` for one that belongs to another. */
  readonly name: string;
  /** The line in the help of `gw`; the summary if absent. */
  readonly headline?: string | undefined;
  /** Says in one sentence what can be done. */
  readonly summary: string;
  readonly commands: { readonly [command: string]: ApiCommand };
  /** Resources that belong to it, by the word behind its name. */
  readonly parts?: { readonly [word: string]: Resource };
}
