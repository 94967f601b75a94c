import type { InputProblem } from '../../../../schema/input-problem.ts';
import type { JsonObject } from '../../../../schema/json.ts';
import type { ApiCommand } from '../../commands/engine/api-command.ts';
import type { ControlParts } from '../../control-parts.ts';
import type { Scope } from '../../keys/scopes.ts';
import type { Writing } from '../../store/store.ts';
import type { Feed, Tables } from '../../store/tables.ts';
import type { Member } from './member.ts';
import type { OwnerColumns, Ownership, ResourceCaller } from './ownership.ts';

export type Members = { readonly [name: string]: Member };

/** What every record has beside its owner and the members of its resource. */
export interface RecordRow {
  id: string;
  /** Milliseconds since the epoch. */
  created_at: number;
  updated_at: number;
}

/** The row of a resource. */
type RowOf<Of extends Members, Owner extends Ownership, Hidden extends string> = RecordRow &
  OwnerColumns[Owner] & {
    [Name in keyof Of]: Of[Name] extends Member<'optional'> ? string | null : string;
  } & { [Name in Hidden]: string };

/** The tables whose columns are those of a resource, and no others. */
type TableOf<Row> = {
  [Table in keyof Tables]: [Tables[Table], Row] extends [Row, Tables[Table]] ? Table : never;
}[keyof Tables];

type ValueOf<Of> = Of extends Member<'required' | 'optional' | 'fixed', infer Value> ? Value : never;

/** A body that makes a record, or changes one: then what is absent stays, and null takes away. */
export type ResourceBody<Of extends Members> = {
  readonly [Name in keyof Of]?: ValueOf<Of[Name]> | (Of[Name] extends Member<'optional'> ? null : never);
};

/** What resources need of the control plane. */
export type ResourceParts = Pick<ControlParts, 'store' | 'sealer' | 'now' | 'overlay' | 'compile'>;

export type Verb = 'create' | 'list' | 'get' | 'update' | 'delete';

/** The resources that have a scope for each verb. */
type ScopeFamily = Scope extends infer Each ? (Each extends `${infer Family}.delete` ? Family : never) : never;

/** What a rule sees of a record that is made or changed. */
export interface Writes<Row, Body> {
  readonly caller: ResourceCaller;
  readonly body: Body;
  /** The record as it becomes. */
  readonly row: Row;
  /** As it was; absent for a new one. */
  readonly before?: Row | undefined;
}

/** What a rule found outside of any transaction, where it may take its time. */
export interface Prepared<Row> {
  /** Columns in place of those that the body gives. */
  readonly columns?: Partial<Row>;
  /** Run in the transaction that writes; what it throws, a `GatewayError`, refuses the request. */
  check?(db: Writing): Promise<void>;
}

export interface ResourceDescription<
  Of extends Members,
  Owner extends Ownership,
  Hidden extends string,
  Table extends keyof Tables,
> {
  /** One record in words: `virtual key`. */
  readonly noun: string;
  /** Several: `virtual keys`. */
  readonly plural: string;
  /** Below `/v1`: `/virtual-keys`. */
  readonly path: `/${string}`;
  /** Its commands, behind `gw`: `virtual-keys`. */
  readonly command: string;
  /** What it is for, in a sentence: the help of its commands. */
  readonly summary: string;
  /** Whose scopes its routes require, `prompts.create` and so on. */
  readonly scope: ScopeFamily;
  /** The scopes of verbs that require another one. */
  readonly scopes?: { readonly [Each in Verb]?: Scope };
  readonly owner: Owner;
  readonly table: Table;
  readonly members: Of;
  /** Columns that nobody is shown, which `rules.prepare` gives. */
  readonly hidden?: readonly Hidden[];
  /** The member that names a record, where its id is not the only name; unique among what a caller can name. */
  readonly naming?: keyof Of & string;
  /** How many records a workspace may have, or an organisation of its own. */
  readonly max: number;
  /** The feed that tells other processes of a change, by verb. */
  readonly feeds?: { readonly [Each in Verb]?: Feed };
  /** The part of the gateway file whose names are taken. */
  readonly overlay?: 'providers' | 'virtualKeys' | 'guardrails';
  /** Rows of other tables that are deleted with a record, by the column that has its id. */
  readonly cascade?: readonly { readonly table: keyof Tables; readonly column: string }[];
  readonly rules?: {
    /** What is wrong with a valid body beyond its schema. */
    validate?(body: ResourceBody<Of>): readonly InputProblem[];
    prepare?(
      parts: ResourceParts,
      writes: Writes<RowOf<Of, Owner, Hidden>, ResourceBody<Of>>,
    ): Promise<Prepared<RowOf<Of, Owner, Hidden>>>;
    /** Run in the transaction; what it throws, a `GatewayError`, refuses the request. */
    beforeDelete?(row: RowOf<Of, Owner, Hidden>, db: Writing): Promise<void>;
  };
  /** What `gw … list` shows beside the id, in order; all listed members if absent. */
  readonly shown?: readonly string[];
  /** Whether an answer to a change is the whole record, or says no more than what its name is. */
  readonly answers?: 'record' | 'name';
  /** What requests and commands do, where `Deletes a label.` does not say enough. */
  readonly summaries?: { readonly [Each in Verb]?: string };
  /** What commands have beside, or in place of, what follows from the members. */
  readonly commands?: { readonly [Each in Verb]?: Partial<ApiCommand> };
}

/** A resource whatever its members: what its routes, queries and commands are made of. */
export interface Resource
  extends Omit<
    ResourceDescription<Members, Ownership, string, keyof Tables>,
    'rules' | 'naming' | 'shown' | 'scope' | 'scopes' | 'summaries'
  > {
  readonly naming: string | undefined;
  readonly shown: readonly string[];
  readonly scopes: { readonly [Each in Verb]: Scope };
  readonly summaries: { readonly [Each in Verb]: string };
  readonly rules: {
    validate(body: JsonObject): readonly InputProblem[];
    prepare(parts: ResourceParts, writes: Writes<RecordRow, JsonObject>): Promise<Prepared<RecordRow>>;
    beforeDelete(row: RecordRow, db: Writing): Promise<void>;
  };
}

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

const capitalised = (sentence: string): string => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;

/**
 * Describes a resource, from which its routes, queries, commands and tests are made. Its table has exactly these columns:
 * `id`, those of its owner, its members, what is hidden, `created_at` and `updated_at`.
 */
export const defineResource = <
  const Of extends Members,
  const Owner extends Ownership,
  const Table extends TableOf<RowOf<Of, Owner, Hidden>>,
  const Hidden extends string = never,
>(
  description: ResourceDescription<Of, Owner, Hidden, Table>,
): Resource => {
  const { noun, plural, scope, naming, members } = description;
  const one = withArticle(noun);
  const listed = Object.keys(members).filter((name) => members[name]?.isListed ?? true);
  // The kernel gives rules only rows and bodies of this resource.
  const { validate, prepare, beforeDelete } = (description.rules ?? {}) as unknown as Partial<Resource['rules']>;
  return {
    ...(description as unknown as Omit<Resource, 'rules'>),
    naming,
    shown: description.shown ?? listed,
    scopes: {
      create: `${scope}.create`,
      list: `${scope}.list`,
      get: `${scope}.read`,
      update: `${scope}.update`,
      delete: `${scope}.delete`,
      ...description.scopes,
    },
    summaries: {
      create: `Makes ${one}.`,
      list: `Lists ${plural}, the newest first.`,
      get: `${capitalised(one)}${naming === undefined ? '' : `, by its id or ${naming}`}.`,
      update: `Changes ${one}: what is absent stays, what is null is taken away.`,
      delete: `Deletes ${one}.`,
      ...description.summaries,
    },
    rules: {
      validate: (body) => validate?.(body) ?? [],
      prepare: async (parts, writes) => (await prepare?.(parts, writes)) ?? {},
      beforeDelete: async (row, db) => beforeDelete?.(row, db),
    },
  };
};
