import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../../sdk/parameters/from-schema.ts';
import type { Scope } from '../../../kernel/requests/scopes.ts';
import type { Verb } from '../../../kernel/resource/define-resource.ts';
import type { Ownership } from '../../../kernel/resource/ownership.ts';

export type Schemas = { readonly [name: string]: ParameterSchema };

/** A kind of record that files stand for. */
export interface Kind {
  /** The folder of its files: `virtual-keys`. */
  readonly folder: string;
  readonly noun: string;
  /** Below `/v1`. */
  readonly path: string;
  readonly owner: Ownership;
  /** Whether its member `name` names a record, which has no slug; else its file is called like its slug. */
  readonly byName: boolean;
  /** The members of files, as schemas, and those that each must have. */
  readonly members: Schemas;
  readonly required: readonly string[];
  /** The members of requests that change a record; the others are what a record is made with. */
  readonly changeable: ReadonlySet<string>;
  /** Whether a record is made anew where what it is made with has changed; else that is a mistake. */
  readonly isReplaced?: boolean;
  /** Whether requests to change a record have an entity tag. */
  readonly hasEtags: boolean;
  /** Whether its records can have secrets. */
  readonly hasSecrets: boolean;
  readonly scopes: { readonly [Each in Verb]: Scope };
  /** Those that changes require as well. */
  readonly furtherScopes?: readonly Scope[];
  /** Whether it can be tried out with `dry_run`. */
  readonly hasDryRun: boolean;
  /** Lists what is wrong with a body beyond its schema; `now` is in milliseconds since the epoch. */
  validate?(body: JsonObject, now: number): readonly InputProblem[];
  /** Makes the members of a body, or of a record, what they are once nothing is said that holds anyway. */
  normalise?(body: JsonObject): JsonObject;
  /** Leaves out members of requests that would contradict others. */
  toRequest?(body: JsonObject, about: { readonly isNew: boolean; readonly wanted: JsonObject }): JsonObject;
  /** The query of lists. */
  listQuery?(workspace: string | null): Readonly<Record<string, string>>;
  /** Whether a record that is listed is one that files stand for; all if absent. */
  isListed?(record: JsonObject): boolean;
  /** Where what is below one record is read that the record itself does not show. */
  readonly furtherPath?: string;
}

/** The slug of a workspace; null for the organisation. */
export type Place = string | null;

/** Gives the folder of the files of a kind. */
export const toFolder = ({ folder }: Pick<Kind, 'folder'>, place: Place): string => {
  if (folder === 'workspaces') return folder;
  return place === null ? `organisation/${folder}` : `workspaces/${place}/${folder}`;
};

/** Gives the path of a file without its ending. */
export const toKey = (kind: Pick<Kind, 'folder'>, place: Place, handle: string): string =>
  `${toFolder(kind, place)}/${handle}`;
