import type { JsonObject } from '../../../../schema/json.ts';
import type { FlagSpec } from '../services.ts';
import type { Show } from '../show/show.ts';

/** How the text of a flag becomes a member of a body or a query. */
export type FlagForm =
  | 'text'
  /** Parts between commas. */
  | 'list'
  /** A whole number. */
  | 'number'
  /** A time as RFC 3339 writes it, which is sent in seconds since the epoch. */
  | 'time'
  /** Half an hour as `30m`, which is sent in milliseconds. */
  | 'duration'
  /** The name of a variable of the environment, whose value is sent: secrets are not written on a command line. */
  | 'variable'
  /** A flag without a value: true. */
  | 'yes';

/** A flag of a command, and the member of the request that it is. */
export interface MemberFlag extends Omit<FlagSpec, 'type'> {
  readonly form: FlagForm;
  readonly in: 'body' | 'query';
  readonly member: string;
}

/** A JSON file that a command reads. */
export interface BodyFile {
  /** As the usage line has it: `FILE`. */
  readonly name: string;
  readonly optional?: boolean;
  /** The member of the body that it is; the whole body if absent. */
  readonly member?: string;
  /** The member of the body that is the name of the file, without folder and ending, if nothing else says it. */
  readonly nameAs?: string;
}

/** One command for a resource of the control plane: one request, and how its answer is shown. */
export interface ApiCommand {
  readonly summary: string;
  /** The method and the path below `/v1`. What is in braces is given as arguments, in this order. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  readonly flags?: { readonly [flag: string]: MemberFlag };
  readonly file?: BodyFile;
  /** Members of the body that neither a flag nor the file says. */
  readonly defaults?: JsonObject;
  /** The answer for people. */
  readonly show: Show;
  readonly notes?: string;
}

/** What `gw NAME` can do. */
export interface Resource {
  /** `configs`. */
  readonly name: string;
  /** What can be done, in one sentence. */
  readonly summary: string;
  readonly commands: { readonly [command: string]: ApiCommand };
}

/** The flags of commands that list. */
export const pagingFlags: { readonly [flag: string]: MemberFlag } = {
  'page-size': {
    form: 'number',
    in: 'query',
    member: 'page_size',
    value: 'N',
    describe: 'The most that is listed: 1 to 1000, 100 by default.',
  },
  page: {
    form: 'number',
    in: 'query',
    member: 'current_page',
    value: 'N',
    describe: 'The page to list; the first is 0.',
  },
};
