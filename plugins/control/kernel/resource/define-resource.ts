import type { Expression, SqlBool } from 'kysely';
import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import type { GatewayError } from '../../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { FromSchema, ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { refuse } from '../requests/refusals.ts';
import { text } from '../requests/replies.ts';
import type { Scope } from '../requests/scopes.ts';
import type { StoredSecret } from '../secrets/compare-secrets.ts';
import type { Writing } from '../store/store.ts';
import type { Feed, Tables } from '../store/tables.ts';
import type { ApiCommand } from './api-command.ts';
import type { ControlParts } from './control-parts.ts';
import type { Member } from './member.ts';
import { type OwnerColumns, type Ownership, onlyOrganisation, type ResourceCaller, type Where } from './ownership.ts';

export type Members = { readonly [name: string]: Member };

type Schemas = { readonly [name: string]: ParameterSchema };

/** The columns of every record, besides its owner and the members of its resource. */
export interface RecordRow {
  id: string;
  /** Milliseconds since the epoch. */
  created_at: number;
  updated_at: number;
}

type ColumnOf<Of> =
  Of extends Member<infer Is, never, infer Column> ? Column | ('optional' extends Is ? null : never) : never;

/** The columns of a resource, without the hidden ones. */
type ColumnsOf<Of extends Members, Owner extends Ownership> = RecordRow &
  OwnerColumns[Owner] & { [Name in keyof Of]: ColumnOf<Of[Name]> };

/** A row of a resource: its type in `Tables`, or otherwise the columns that follow from the description. */
type RowOf<Of extends Members, Owner extends Ownership, Table extends string> = Table extends keyof Tables
  ? Tables[Table]
  : ColumnsOf<Of, Owner>;

/** The members that two types both have, but with different types. */
type Differing<Row, Columns> = {
  [Name in keyof Row & keyof Columns]: [Row[Name], Columns[Name]] extends [Columns[Name], Row[Name]] ? never : Name;
}[keyof Row & keyof Columns];

type Names<Of> = keyof Of & string;

/** The difference between a description and the row type of its table, as the compiler reports it. */
type TableFault<Columns, Hidden extends string, Table extends string> = Table extends keyof Tables
  ?
      | `The row type of ${Table} has no column "${Exclude<Names<Columns> | Hidden, Names<Tables[Table]>>}".`
      | `The row type of ${Table} has a column "${Exclude<Names<Tables[Table]>, Names<Columns> | Hidden>}", which is neither a member nor hidden.`
      | `The row type of ${Table} has another type for the column "${Differing<Tables[Table], Columns> & string}".`
  : Hidden extends string
    ? `Tables has no row type of ${Table}, which has the hidden column "${Hidden}".`
    : never;

/** The table itself if nothing differs. */
type FittingTable<Table, PlacedError> = [PlacedError] extends [never] ? Table : { readonly differs: PlacedError };

type ValueOf<Of> = Of extends Member<'required' | 'optional' | 'fixed', infer Value> ? Value : never;

/** A body that creates or changes a record. In a change, absent members stay as they are, and null removes a value. */
export type ResourceBody<Of extends Members, Inputs> = {
  readonly [Name in keyof Of]?: ValueOf<Of[Name]> | (Of[Name] extends Member<'optional'> ? null : never);
} & { readonly [Name in keyof Inputs]?: FromSchema<Inputs[Name]> };

/** The parts of the control plane that resources need. */
export type ResourceParts = Pick<
  ControlParts,
  | 'store'
  | 'sealer'
  | 'allowances'
  | 'now'
  | 'overlay'
  | 'compile'
  | 'providerWarnings'
  | 'catalogue'
  | 'findHostError'
  | 'counters'
  | 'toSavedGuardrails'
  | 'readView'
>;

export type Verb = 'create' | 'list' | 'get' | 'update' | 'delete';
export type ChangeVerb = Exclude<Verb, 'list' | 'get'>;

/** The resources that have a scope for each verb. */
type ScopeFamily = Scope extends infer Each ? (Each extends `${infer Family}.delete` ? Family : never) : never;

/** A record that is being created or changed, as rules see it. */
export interface Writes<Row, Body> {
  readonly caller: ResourceCaller;
  readonly body: Body;
  /** The record after the write. */
  readonly row: Row;
  /** The record before the change; absent for a new one. */
  readonly before?: Row | undefined;
  /** The problems of the body. A rule throws them together with the problems that it finds itself. */
  readonly problems: readonly InputProblem[];
}

/** The result of a rule that runs outside of any transaction, and so may take time. */
export interface Prepared<Row> {
  /** Columns that replace those from the body. */
  readonly columns?: Partial<Row>;
  /** Warnings of the body, by their places in it. They are shown if the response to a change is a reference. */
  readonly warnings?: readonly Diagnostic[] | undefined;
  /** Runs in the transaction that writes the row, and may write more. If it throws a `GatewayError`, the request is refused. */
  check?(db: Writing, row: Row): Promise<void>;
}

/** The response to a change: the whole record, only its names, or the names as `{ success, data }`. */
export type Answer = 'record' | 'name' | 'reference';

export interface ResourceDescription<
  Of extends Members,
  Owner extends Ownership,
  Hidden extends string,
  Table extends string,
  Inputs extends Schemas,
  NewInputs extends Schemas,
> {
  /** The name of one record: `virtual key`. */
  readonly noun: string;
  /** The plural: `virtual keys`. */
  readonly plural: string;
  /** The path below `/v1`: `/virtual-keys`. */
  readonly path: `/${string}`;
  /** The name of its commands, after `gw`: `virtual-keys`. */
  readonly command: string;
  /** The line in the help of `gw`; the summary if absent. */
  readonly headline?: string;
  /** Its purpose in one sentence, for the help of its commands. */
  readonly summary: string;
  /**
   * The resource whose scopes its routes require, such as `prompts` for `prompts.create`; if absent, scopes named after its
   * plural.
   */
  readonly scope?: ScopeFamily;
  /** The scopes of verbs that require a different one. */
  readonly scopes?: { readonly [Each in Verb]?: Scope };
  readonly owner: Owner;
  readonly table: Table;
  readonly members: Of;
  /** Columns that are not members. `rules.prepare` sets them. */
  readonly hidden?: readonly Hidden[];
  /** The hidden columns that distinguish its records from others in the same table, with their values. */
  readonly discriminator?: { readonly [Name in Hidden]?: string };
  /** Members of bodies that are not columns, from which rules derive columns. In a change, absent ones stay as they are. */
  readonly inputs?: Inputs;
  /** The same, but only in bodies that create a record. */
  readonly newInputs?: NewInputs;
  /** The inputs that are required in bodies that create a record. */
  readonly requires?: readonly (keyof (Inputs & NewInputs) & string)[];
  /** Members of responses, added to those of the resource or replacing them. */
  readonly view?: {
    readonly schema: Schemas;
    /** Members that not every record has. */
    readonly optional?: Schemas;
    /** Returns the members for each row, in order. */
    show(
      rows: readonly RowOf<Of, Owner, Table>[],
      about: { readonly parts: ResourceParts; readonly caller: ResourceCaller },
    ): Promise<readonly object[]> | readonly object[];
  };
  /** Returns the sealed secrets of a record; absent if it can have none. */
  secrets?(row: RowOf<Of, Owner, Table>): Promise<readonly StoredSecret[]>;
  /** The maximum size of its request bodies, in bytes, if it differs from the default. */
  readonly maxBytes?: number;
  /** The member that names a record in addition to its id; unique among the records that a caller can name. */
  readonly naming?: keyof Of & string;
  /** How many records a workspace may have, or an organisation of its own. */
  readonly max: number;
  /** The feeds that notify other processes of a change, by verb. */
  readonly feeds?: { readonly [Each in Verb]?: Feed | readonly Feed[] };
  /** Selects the records of its organisation that a caller limited to one workspace sees; all if absent. */
  visible?(where: Where, tenant: string): Expression<SqlBool>;
  /** The parameter of paths to one record; its slug or id if absent. */
  readonly params?: { readonly type: 'object'; readonly properties: Schemas };
  /** The part of the gateway file whose names are taken. */
  readonly overlay?: 'providers' | 'virtualKeys' | 'guardrails';
  /** Rows of other tables that are deleted with a record, by the column that contains its id. */
  readonly cascade?: readonly { readonly table: keyof Tables; readonly column: string }[];
  readonly rules?: {
    /**
     * Throws the `GatewayError` `forbidden` if the caller may not make the change. If absent, only callers of the organisation
     * may change its records.
     */
    authorise?(caller: ResourceCaller, verb: ChangeVerb, body: ResourceBody<Of, Inputs & NewInputs>): void;
    /** Lists the errors of a body that its schema cannot express; `now` is in milliseconds since the epoch. */
    validate?(body: ResourceBody<Of, Inputs & NewInputs>, now: number): readonly InputProblem[];
    prepare?(
      parts: ResourceParts,
      writes: Writes<RowOf<Of, Owner, Table>, ResourceBody<Of, Inputs & NewInputs>>,
    ): Promise<Prepared<RowOf<Of, Owner, Table>>>;
    /** Runs in the transaction, and may write more. If it throws a `GatewayError`, the request is refused. */
    beforeDelete?(row: RowOf<Of, Owner, Table>, db: Writing, parts: ResourceParts): Promise<void>;
    /** Returns the error for a name that is taken, by a record or in the gateway file. */
    taken?(name: string, by: 'record' | 'file'): GatewayError;
  };
  /** The name of a record in `openapi.json`; derived from `noun` if absent. */
  readonly title?: string;
  /** The columns of `gw … list` besides the id, in order; all listed members if absent. */
  readonly shown?: readonly string[];
  /** `record` if absent. */
  readonly answers?: { readonly [Each in 'create' | 'update']?: Answer };
  /** Descriptions of requests and commands, if one like `Deletes a label.` is not enough. */
  readonly summaries?: { readonly [Each in Verb]?: string };
  /** Parts of commands, added to those derived from the members or replacing them. */
  readonly commands?: { readonly [Each in Verb]?: Partial<ApiCommand> };
  /** The commands of routes that are written by hand. */
  readonly furtherCommands?: { readonly [command: string]: ApiCommand };
}

/** A resource, whatever its members: everything that its routes, queries and commands are built from. */
export interface Resource
  extends Omit<
    ResourceDescription<Members, Ownership, string, string, Schemas, Schemas>,
    'rules' | 'naming' | 'shown' | 'scope' | 'scopes' | 'summaries' | 'answers' | 'view' | 'params' | 'secrets'
  > {
  secrets?(row: RecordRow): Promise<readonly StoredSecret[]>;
  readonly naming: string | undefined;
  readonly shown: readonly string[];
  /** The members in which a search of the list looks for its text. */
  readonly searched: readonly string[];
  readonly scopes: { readonly [Each in Verb]: Scope };
  readonly summaries: { readonly [Each in Verb]: string };
  readonly answers: { readonly [Each in 'create' | 'update']: Answer };
  readonly params: { readonly type: 'object'; readonly properties: Schemas };
  readonly view?: {
    readonly schema: Schemas;
    readonly optional?: Schemas;
    show(
      rows: readonly RecordRow[],
      about: { readonly parts: ResourceParts; readonly caller: ResourceCaller },
    ): Promise<readonly object[]> | readonly object[];
  };
  readonly rules: {
    authorise(caller: ResourceCaller, verb: ChangeVerb, body: JsonObject): void;
    validate?(body: JsonObject, now: number): readonly InputProblem[];
    prepare(parts: ResourceParts, writes: Writes<RecordRow, JsonObject>): Promise<Prepared<RecordRow>>;
    beforeDelete?(row: RecordRow, db: Writing, parts: ResourceParts): Promise<void>;
    taken?(name: string, by: 'record' | 'file'): GatewayError;
  };
}

/** The words for the verbs in messages. */
const verbWords = { create: 'make', update: 'change', delete: 'delete' } as const;

/** Converts a noun to its form in scopes, operations and responses: `virtual_key`. */
export const snake = (words: string): string => words.replaceAll(/[ -]/g, '_');

/**
 * Describes a resource, from which its routes, queries, commands and tests are generated. Its table has exactly these columns:
 * `id`, those of its owner, its members, the hidden ones, `created_at` and `updated_at`.
 */
export const defineResource = <
  const Of extends Members,
  const Owner extends Ownership,
  const Table extends string,
  const Hidden extends string = never,
  const Inputs extends Schemas = Record<never, never>,
  const NewInputs extends Schemas = Record<never, never>,
>(
  description: ResourceDescription<Of, Owner, Hidden, Table, Inputs, NewInputs> & {
    readonly table: FittingTable<Table, TableFault<ColumnsOf<Of, Owner>, Hidden, Table>>;
  },
): Resource => {
  const { noun, plural, naming, members, owner } = description;
  // `npm run generate` adds this name to the names of scopes.
  const scope = description.scope ?? (snake(plural) as ScopeFamily);
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
  // The kernel passes only rows and bodies of this resource to its rules.
  const rules = description.rules as unknown as Partial<Resource['rules']> | undefined;
  return {
    ...(description as unknown as Omit<Resource, 'rules'>),
    naming,
    searched: Object.keys(members).filter((name) => name === naming || members[name]?.isDisplayName === true),
    shown: description.shown ?? Object.keys(members).filter((name) => members[name]?.isListed ?? true),
    scopes: {
      create: `${scope}.create`,
      list: `${scope}.list`,
      get: `${scope}.read`,
      update: `${scope}.update`,
      delete: `${scope}.delete`,
      ...description.scopes,
    },
    summaries: {
      create: `Creates ${article} ${noun}.`,
      list: `Lists ${plural}, the newest first.`,
      get: `${article === 'a' ? 'A' : 'An'} ${noun}${naming === undefined ? '' : `, by its id or ${naming}`}.`,
      update: `Changes ${article} ${noun}. Absent members stay as they are; null removes a value.`,
      delete: `Deletes ${article} ${noun}.`,
      ...description.summaries,
    },
    answers: { create: 'record', update: 'record', ...description.answers },
    params: description.params ?? {
      type: 'object',
      properties: { [naming !== undefined && members[naming]?.presence === 'fixed' ? naming : 'id']: text },
    },
    rules: {
      authorise(caller, verb) {
        if (owner === 'organisation') onlyOrganisation(caller, `${verbWords[verb]} ${plural}`);
      },
      async prepare(_, { problems }) {
        refuse(problems);
        return {};
      },
      ...rules,
    },
  };
};
