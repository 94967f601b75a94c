import { findText } from '../../../../../schema/json/loose.ts';
import type { Problems } from '../folder/problems.ts';
import { organisationName, type Reference } from '../folder/references.ts';
import { type Kind, type Place, toKey } from '../kinds/kind.ts';
import { kindsByFolder, labelKind, workspaceKind } from '../kinds/kinds.ts';
import { mapRequests } from '../store/api.ts';
import type { Owned } from '../store/ownership.ts';
import type { StoreReader } from '../store/read-store.ts';
import type { WantedRecord } from './step.ts';

/** A record that a reference may mean. */
export interface Candidate {
  readonly kind: Kind;
  readonly place: Place;
  readonly handle: string;
}

const ofOrganisation = 'organisation/';

/** Lists the records that a reference may mean: first those of the workspace, then those of the organisation. */
export const toCandidates = ({ folders, name }: Reference, place: Place): readonly Candidate[] =>
  folders.flatMap((folder) => {
    const kind = kindsByFolder.get(folder);
    if (kind === undefined) return [];
    if (name.startsWith(ofOrganisation)) return [{ kind, place: null, handle: name.slice(ofOrganisation.length) }];
    return [
      ...(kind.owner === 'organisation' || place === null ? [] : [{ kind, place, handle: name }]),
      ...(kind.owner === 'workspace' ? [] : [{ kind, place: null, handle: name }]),
    ];
  });

/** Returns where the references of a record are looked up: those of a workspace are names of its own records. */
export const placeOfReferences = ({ kind, place, handle }: Candidate): Place =>
  kind === workspaceKind ? handle : place;

interface Named {
  readonly kind: Kind;
  readonly place: Place;
  readonly handle: string;
  /** Its own name, if known. */
  readonly name?: string | undefined;
}

/** The records that files may refer to, by their names in files and by their ids. */
export class Names {
  readonly #ids = new Map<string, string>();
  readonly #named = new Map<string, Named>();
  readonly #ownNames = new Map<string, string>();
  /** The ids of labels, by their places and their own names. */
  readonly #labels = new Map<string, string>();
  /** The id of the organisation. */
  readonly organisation: string;

  constructor(organisation: string) {
    this.organisation = organisation;
  }

  note(id: string, named: Named): void {
    this.#ids.set(toKey(named.kind, named.place, named.handle), id);
    this.#named.set(id, named);
    const { kind, place, name } = named;
    if (name === undefined) return;
    this.#ownNames.set(id, name);
    if (kind === labelKind) this.#labels.set(toKey(kind, place, name), id);
  }

  /** Finds the id of a record that a reference may mean; undefined if there is none. */
  findId(candidates: readonly Candidate[]): string | undefined {
    return candidates
      .map(({ kind, place, handle }) => this.#ids.get(toKey(kind, place, handle)))
      .find((id) => id !== undefined);
  }

  /** Returns the name of a record in the files of a place. */
  readonly nameOf = (id: string, place: Place): string | undefined => {
    if (id === this.organisation) return organisationName;
    const named = this.#named.get(id);
    if (named === undefined) return undefined;
    const isElsewhere = named.kind.folder === 'keys' && named.place === null && place !== null;
    return isElsewhere ? `${ofOrganisation}${named.handle}` : named.handle;
  };

  /** Returns the name of a label in files, given its own name, which the API uses. */
  readonly labelHandle = (name: string, place: Place): string => {
    const id = this.#labels.get(toKey(labelKind, place, name));
    return (id === undefined ? undefined : this.#named.get(id)?.handle) ?? name;
  };

  /** Returns a label's own name, given its name in files. */
  readonly labelName = (handle: string, place: Place): string => {
    const id = this.#ids.get(toKey(labelKind, place, handle));
    return (id === undefined ? undefined : this.#ownNames.get(id)) ?? handle;
  };
}

/** Reads the lists of all records that files describe or refer to, and records their names. */
export const readNames = async (
  reader: StoreReader,
  {
    wanted,
    owned,
    organisation,
  }: {
    readonly organisation: string;
    readonly wanted: readonly WantedRecord[];
    readonly owned: ReadonlyMap<string, Owned>;
  },
): Promise<Names> => {
  const lists = new Map<string, { readonly kind: Kind; readonly place: Place }>();
  const add = (kind: Kind, place: Place): void => {
    lists.set(toKey(kind, place, ''), { kind, place });
  };
  for (const { kind, place, references } of wanted) {
    add(kind, place);
    for (const reference of references.filter(({ isStrict }) => isStrict === true))
      for (const candidate of toCandidates(reference, place)) add(candidate.kind, candidate.place);
  }
  add(workspaceKind, null);
  await reader.list(workspaceKind, null);
  const listed = await mapRequests([...lists.values()], ({ kind, place }) => reader.list(kind, place));
  const names = new Names(organisation);
  const handles = new Map<string, string>(
    wanted
      .filter(({ kind }) => kind.byName)
      .map(({ kind, place, body, handle }) => [toKey(kind, place, findText(body.name) ?? ''), handle]),
  );
  for (const { id, kind, place, name } of listed.flat().toReversed())
    names.note(id, { kind, place, handle: handles.get(toKey(kind, place, name)) ?? name, name });
  const there = new Set(listed.flat().map(({ id }) => id));
  for (const { id, ...named } of owned.values()) if (id !== undefined && there.has(id)) names.note(id, named);
  return names;
};

/** The records that files describe, and those that are deleted because no file describes them any more. */
interface Kept {
  readonly wanted: readonly WantedRecord[];
  readonly owned: ReadonlyMap<string, Owned>;
  readonly prune: boolean;
}

/**
 * Reports names of records that exist neither as a file nor in the store, and names of records that the same apply would delete.
 */
export const noteUnknownNames = ({ wanted, owned, prune }: Kept, names: Names, problems: Problems): void => {
  const keys = new Set(wanted.map(({ key }) => key));
  const isPruned = (key: string): boolean => prune && !keys.has(key) && owned.get(key)?.isAdopted === false;
  for (const { references, place, file } of wanted)
    for (const reference of references) {
      if (reference.isStrict !== true) continue;
      const candidates = toCandidates(reference, place);
      const keyOf = (each: Candidate): string => toKey(each.kind, each.place, each.handle);
      const isWanted = candidates.some((each) => keys.has(keyOf(each)));
      if (isWanted || names.findId(candidates.filter((each) => !isPruned(keyOf(each)))) !== undefined) continue;
      const [first] = candidates;
      const noun = first?.kind.noun ?? 'record';
      const isDeleted = candidates.some((each) => isPruned(keyOf(each)));
      problems.at(file, reference.pointer, {
        message: isDeleted
          ? `The ${noun} "${reference.name}" no longer has a file, so --prune would delete it.`
          : `There is no ${noun} "${reference.name}" in the folder or in the store.`,
        hint:
          first === undefined
            ? ''
            : `Write ${toKey(first.kind, first.place, reference.name)}.json, or correct the name.`,
      });
    }
};
