import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../../sdk/parameters/from-schema.ts';
import type { Scope } from '../../../kernel/requests/scopes.ts';
import type { Verb } from '../../../kernel/resource/define-resource.ts';
import type { Ownership } from '../../../kernel/resource/ownership.ts';

export type Schemas = { readonly [name: string]: ParameterSchema };

/** A kind of record that files describe. */
export interface Kind {
  /** The folder of its files: `virtual-keys`. */
  readonly folder: string;
  readonly noun: string;
  /** The path below `/v1`. */
  readonly path: string;
  readonly owner: Ownership;
  /** Whether a record has no slug and is identified by its member `name`; otherwise its file is named after its slug. */
  readonly byName: boolean;
  /** The members of files, as schemas, and the required ones. */
  readonly members: Schemas;
  readonly required: readonly string[];
  /** The members of requests that change a record. The others are fixed when a record is created. */
  readonly changeable: ReadonlySet<string>;
  /** Whether a record is recreated if a fixed member has changed; otherwise that is an error. */
  readonly isReplaced?: boolean;
  /** Whether its records can have secrets. */
  readonly hasSecrets: boolean;
  readonly scopes: { readonly [Each in Verb]: Scope };
  /** Additional scopes that changes require. */
  readonly furtherScopes?: readonly Scope[];
  /** Whether it supports `dry_run`. */
  readonly hasDryRun: boolean;
  /** Lists what is wrong with a body beyond its schema; `now` is in milliseconds since the epoch. */
  validate?(body: JsonObject, now: number): readonly InputProblem[];
  /** Removes members that have their default values from a body or a record. */
  normalise?(body: JsonObject): JsonObject;
  /** Removes members of requests that would contradict others. */
  toRequest?(body: JsonObject, about: { readonly isNew: boolean; readonly wanted: JsonObject }): JsonObject;
  /** Returns the query of lists. */
  listQuery?(workspace: string | null): Readonly<Record<string, string>>;
  /** Checks whether a listed record is one that files describe; all are if absent. */
  isListed?(record: JsonObject): boolean;
  /** The path of further data of a record, which the record itself does not include. */
  readonly furtherPath?: string;
}

/** The slug of a workspace; null for the organisation. */
export type Place = string | null;

/** Returns the folder of the files of a kind. */
export const toFolder = ({ folder }: Pick<Kind, 'folder'>, place: Place): string => {
  if (folder === 'workspaces') return folder;
  return place === null ? `organisation/${folder}` : `workspaces/${place}/${folder}`;
};

/** Returns the path of a file without its extension. */
export const toKey = (kind: Pick<Kind, 'folder'>, place: Place, handle: string): string =>
  `${toFolder(kind, place)}/${handle}`;
