import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import { RefusalError } from '../../client/ask-gateway.ts';
import { runFailure } from '../../command-line/services.ts';
import { type Kind, type Place, toKey } from '../kinds/kind.ts';
import { kindsByFolder, workspaceKind } from '../kinds/kinds.ts';
import type { ApplyApi, Caller } from './api.ts';

/** An apply's note on a record. */
export interface Owned {
  readonly kind: Kind;
  readonly place: Place;
  readonly handle: string;
  /** Absent if the record was about to be created. */
  readonly id?: string | undefined;
  /** Whether the record existed before. */
  readonly isAdopted: boolean;
}

const toPlace = (folder: string): { readonly kind: Kind; readonly place: Place } | undefined => {
  if (folder === workspaceKind.folder) return { kind: workspaceKind, place: null };
  const [, own, slug, name = ''] = /^(?:(organisation)|workspaces\/([\w-]+))\/([\w-]+)$/.exec(folder) ?? [];
  const kind = kindsByFolder.get(name);
  return kind === undefined ? undefined : { kind, place: own === undefined ? (slug ?? null) : null };
};

const toOwned = (records: Json | undefined): ReadonlyMap<string, Owned> => {
  const owned = new Map<string, Owned>();
  for (const [folder, entries] of Object.entries(isJsonObject(records) ? records : {})) {
    const where = toPlace(folder);
    if (where === undefined || !isJsonObject(entries)) continue;
    for (const [handle, entry] of Object.entries(entries))
      if (isJsonObject(entry))
        owned.set(toKey(where.kind, where.place, handle), {
          ...{ ...where, handle, isAdopted: entry.adopted === true },
          id: findText(entry.id),
        });
  }
  return owned;
};

const toRecords = (owned: ReadonlyMap<string, Owned>): JsonObject => {
  const folders: { [folder: string]: { [handle: string]: JsonObject } } = {};
  for (const [key, { handle, id, isAdopted }] of owned) {
    const folder = key.slice(0, -handle.length - 1);
    const entries = folders[folder] ?? {};
    folders[folder] = entries;
    entries[handle] = { ...(id !== undefined && { id }), ...(isAdopted && { adopted: true }) };
  }
  return folders;
};

const path = '/applies';

/** The store's note of what a folder has created. Only one apply at a time can change it; others are refused. */
export class Ownership {
  readonly #api: ApplyApi;
  readonly #name: string;
  readonly #caller: Caller;
  #etag: string | undefined;
  readonly owned: Map<string, Owned>;

  private constructor(
    api: ApplyApi,
    name: string,
    caller: Caller,
    read: { readonly etag?: string | undefined; readonly owned: ReadonlyMap<string, Owned> },
  ) {
    this.#api = api;
    this.#name = name;
    this.#caller = caller;
    this.#etag = read.etag;
    this.owned = new Map(read.owned);
  }

  /** Reads what a folder has created. Rejects like the API. */
  static async read(api: ApplyApi, name: string, caller: Caller): Promise<Ownership> {
    const found = await api.read(`${path}/${name}`, null);
    return new Ownership(api, name, caller, { etag: found?.etag, owned: toOwned(found?.body.records) });
  }

  /** Writes the note. Rejects with a `CommandFailure` if another apply has written it since it was read. */
  async save(): Promise<void> {
    const records = toRecords(this.owned);
    const scope = this.#caller.reach;
    try {
      const { etag } = await this.#api.ask(
        this.#etag === undefined
          ? { method: 'POST', path, body: { slug: this.#name, records, scope } }
          : { method: 'PUT', path: `${path}/${this.#name}`, headers: { 'if-match': this.#etag }, body: { records } },
      );
      this.#etag = etag;
    } catch (error) {
      if (error instanceof RefusalError && [404, 409, 412].includes(error.refusal.status))
        throw runFailure(
          `Another apply of "${this.#name}" has started meanwhile.`,
          'Run this again when that has ended.',
        );
      throw error;
    }
  }
}
