import type { InputProblem } from '../../../../schema/input-problem.ts';
import type { Scope } from '../../keys/scopes.ts';
import type { Reading } from '../../saved/records.ts';
import type { Feed, Tables } from '../../store/tables.ts';
import type { Member } from './member.ts';

export type Members = { readonly [name: string]: Member };

/** What every record has beside the members of its resource. */
export interface RecordRow {
  id: string;
  workspace_id: string;
  /** Milliseconds since the epoch. */
  created_at: number;
  updated_at: number;
}

/** The row of a resource with these members. */
type RowOf<Of extends Members> = RecordRow & {
  [Name in keyof Of]: Of[Name] extends Member<'optional'> ? string | null : string;
};

/** The tables whose columns are the members of a resource, and no others. */
type TableOf<Of extends Members> = {
  [Table in keyof Tables]: [Tables[Table], RowOf<Of>] extends [RowOf<Of>, Tables[Table]] ? Table : never;
}[keyof Tables];

type NamesOf<Of extends Members, Is extends Member['presence']> = {
  [Name in keyof Of]: Of[Name] extends Member<Is> ? Name : never;
}[keyof Of];

/** A body that makes a record. */
export type NewRecord<Of extends Members> = { readonly [Name in NamesOf<Of, 'required'>]: string } & {
  readonly [Name in NamesOf<Of, 'optional' | 'fixed'>]?: string;
};

/** A body that changes a record: what is absent stays, what is null is taken away. */
export type RecordChange<Of extends Members> = { readonly [Name in NamesOf<Of, 'required'>]?: string } & {
  readonly [Name in NamesOf<Of, 'optional'>]?: string | null;
};

export type Verb = 'create' | 'list' | 'get' | 'update' | 'delete';

export const verbs: readonly Verb[] = ['create', 'list', 'get', 'update', 'delete'];

/** The resources that have a scope for each verb. */
type ScopeFamily = Scope extends infer Each ? (Each extends `${infer Family}.delete` ? Family : never) : never;

export interface ResourceDescription<Of extends Members, Table extends keyof Tables> {
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
  readonly table: Table;
  readonly members: Of;
  /** The member that names a record in its workspace, where its id is not the only name; unique there. */
  readonly naming?: keyof Of & string;
  readonly limits: {
    /** How many records a workspace may have. */
    readonly perWorkspace: number;
  };
  /** The feed that tells other processes of a change, by verb. */
  readonly feeds?: { readonly [Each in Verb]?: Feed };
  /** Rows of other tables that are deleted with a record, by the column that has its id. */
  readonly cascade?: readonly { readonly table: keyof Tables; readonly column: string }[];
  readonly rules?: {
    /** What is wrong with a valid body beyond its schema. */
    validate?(body: Partial<NewRecord<Of>> | RecordChange<Of>): readonly InputProblem[];
    /** Run in the transaction; what they throw, a `GatewayError`, refuses the request. */
    readonly before?: {
      delete?(row: RowOf<Of>, db: Reading): Promise<void>;
    };
  };
  /** The members that `gw … list` shows beside the id, in order; all if absent. */
  readonly shown?: readonly (keyof Of & string)[];
  /** What requests and commands do, where `Deletes a label.` does not say enough. */
  readonly summaries?: { readonly [Each in Verb]?: string };
}

/** A resource whatever its members: what its routes, queries and commands are made of. */
export interface Resource
  extends Omit<ResourceDescription<Members, keyof Tables>, 'rules' | 'naming' | 'shown' | 'scope' | 'scopes'> {
  readonly naming: string | undefined;
  readonly shown: readonly string[];
  readonly scopes: { readonly [Each in Verb]: Scope };
  readonly summaries: { readonly [Each in Verb]: string };
  readonly rules: {
    validate(body: object): readonly InputProblem[];
    beforeDelete(row: RecordRow, db: Reading): Promise<void>;
  };
}

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

const capitalised = (sentence: string): string => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;

/**
 * Describes a resource of a workspace, from which its routes, queries, commands and tests are made. Its table is one that has
 * exactly these members as columns, beside `id`, `workspace_id`, `created_at` and `updated_at`.
 */
export const defineResource = <const Of extends Members, const Table extends TableOf<Of>>(
  description: ResourceDescription<Of, Table>,
): Resource => {
  const { noun, plural, scope, naming, members, rules = {}, shown = Object.keys(members) } = description;
  const one = withArticle(noun);
  return {
    ...(description as unknown as Omit<Resource, 'rules'>),
    naming,
    shown,
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
      validate: (body) => rules.validate?.(body) ?? [],
      beforeDelete: async (row, db) => rules.before?.delete?.(row as RowOf<Of>, db),
    },
  };
};
