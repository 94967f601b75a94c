import type { OptionSpec } from '../../../../schema/command-help/command-spec.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

/** How the text of a flag becomes a member of a request. */
export type FlagForm =
  /** The text as it is; the form of flags that specify none. */
  | 'text'
  /** A list of parts, separated by commas. */
  | 'list'
  /** A whole number. */
  | 'number'
  /** A number of at least 0, with or without decimal places. */
  | 'decimal'
  /** A time in RFC 3339 format, sent in seconds since the epoch. */
  | 'time'
  /** A time, or how long ago it was, such as `7d`; sent in seconds since the epoch. */
  | 'since'
  /** A duration, such as `30m` for half an hour; sent in milliseconds. */
  | 'duration'
  /** The name of an environment variable whose value is sent, so that no secret is written on a command line. */
  | 'variable'
  /** `NAME=TEXT`, which may be repeated: a member of an object, or `member.NAME` of a query. */
  | 'pair'
  /** `yes` or `no`. */
  | 'choice'
  /** A flag without a value: true. */
  | 'yes';

/**
 * The names that a flag accepts: codes of errors, statuses, ids of providers that configs can name, ids of keys, models that were
 * requested lately, or slugs of what is saved at a path, such as `/configs`.
 */
export type KnownNames = 'errors' | 'statuses' | 'providers' | 'keys' | 'models' | { readonly saved: `/${string}` };

/** A flag of a command, and the part of the request that it sets. */
export interface MemberFlag extends Omit<OptionSpec, 'type' | 'many'> {
  readonly form?: FlagForm;
  /** A whole number that the flag accepts, for messages; 1 if absent. */
  readonly example?: number;
  /** The part of the request; the body if absent. */
  readonly in?: 'body' | 'query' | 'header';
  /** The name of the member there, with `/` before each nested member; the name of the flag if absent. */
  readonly member?: string;
  /** Other members of the body whose problems are reported with the name of this flag. */
  readonly about?: readonly string[];
  /** The names that the flag accepts. If the response is empty and the value is not one of them, the command reports that. */
  readonly known?: KnownNames;
  /** The word that removes the current value: null is sent. */
  readonly none?: string;
}

export type MemberFlags = Readonly<Record<string, MemberFlag>>;

/** A file that a command reads. */
export interface BodyFile {
  /** The name in the usage line, such as `FILE`. */
  readonly name: string;
  readonly optional?: boolean;
  /** JSON if absent, with or without comments. */
  readonly format?: 'text';
  /** The member of the body that the file sets; the whole body if absent. */
  readonly member?: string;
  /** The member of the body that is set to the name of the file, without folder and extension, unless something else sets it. */
  readonly nameAs?: string;
  /** A complete body, for the help of the command. */
  readonly example?: string;
}

/** The columns of a table: their headings, and the member that each shows. */
export type Columns = Readonly<Record<string, string>>;

/** The values of a member with which a response reports that a trial succeeded. */
export interface PassingValues {
  readonly member: string;
  readonly values: readonly (string | boolean)[];
}

/**
 * The unit that the member `unpriced` counts. If that is above 0, costs are shown with how many attempts or requests they omit.
 */
export type UnpricedUnit = 'attempt' | 'request';

/** How the response of a command is shown to people. In sentences, `{slug}` is a member of the response or an argument. */
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
  /** A line for each member, and one member below them. The command fails if `passes` has another value. */
  | { readonly as: 'record'; readonly text?: string; readonly passes?: PassingValues }
  /** A sentence, and the warnings about what was saved nevertheless. */
  | { readonly as: 'said'; readonly text: string }
  /** A single member on standard output, and a sentence for people. */
  | { readonly as: 'member'; readonly member: string; readonly note: string }
  /** A single member, which is a text of several lines. */
  | { readonly as: 'text'; readonly member: string }
  /** The record as JSON, or one member of it. */
  | { readonly as: 'json'; readonly member?: string }
  /** The record of a request: a summary for people, or JSON unless the output is a terminal or a flag requests text. */
  | { readonly as: 'request' }
  /** The text of a completion, as it arrives. */
  | { readonly as: 'completion' }
  /** Lines of JSON, as they arrive. */
  | { readonly as: 'lines' };

/** One command for a resource of the control plane: a request, and how its response is shown. */
export interface ApiCommand {
  readonly summary: string;
  /** The method and the path below `/v1`. Arguments fill in the parts in braces, in this order. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  readonly flags?: MemberFlags;
  readonly file?: BodyFile;
  /** Members of the body that neither a flag nor the file sets. */
  readonly defaults?: JsonObject;
  /** How the response is shown to people. */
  readonly shows: Display;
  /** The member of the response that `--format` prints alone, as JSON, if given its name. */
  readonly alone?: string;
  readonly notes?: string;
}

/** The commands `gw NAME …`. */
export interface Resource {
  /** `configs`, or `prompts labels` for a resource that belongs to another. */
  readonly name: string;
  /** The line in the help of `gw`; the summary if absent. */
  readonly headline?: string | undefined;
  /** A sentence that describes what the commands do. */
  readonly summary: string;
  readonly commands: { readonly [command: string]: ApiCommand };
  /** Resources that belong to this one, by the word that follows its name. */
  readonly parts?: { readonly [word: string]: Resource };
}
