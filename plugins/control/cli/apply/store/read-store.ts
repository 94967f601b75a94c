import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { isJsonObject } from '../../../../../schema/json/json.ts';
import { findText, toTexts } from '../../../../../schema/json/loose.ts';
import { type Kind, type Place, toFolder } from '../kinds/kind.ts';
import { normalise, workspaceKind } from '../kinds/kinds.ts';
import { type ApplyApi, isOfPlace, mapRequests } from './api.ts';

/** A record as lists show it. */
export interface ListedRecord {
  readonly kind: Kind;
  readonly place: Place;
  readonly id: string;
  /** Its slug, or its name if it has none. */
  readonly name: string;
  readonly head: JsonObject;
}

/** A whole record. */
export interface StoredRecord extends ListedRecord {
  readonly etag: string | undefined;
  /** The record as the API returns it. */
  readonly whole: JsonObject;
  /** Its members in the form of files, with names instead of ids. */
  readonly body: JsonObject;
}

/** Returns the names in files of records with these ids. */
export type NameOfId = (id: string, place: Place) => string | undefined;

/** Returns the names of records in files. */
export interface FileNames {
  readonly nameOf: NameOfId;
  /** Returns the name of a label in files, given its own name, which the API uses. */
  readonly labelHandle: (name: string, place: Place) => string;
}

const id = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const naming = new RegExp(`^(@|config:)?(${id})(/.*|@.*)?$`, 'is');

/** Replaces the ids of known records in a value by their names in files, if an id is the whole reference in a text. */
const withNames = (value: Json, place: Place, nameOf: NameOfId): Json => {
  if (typeof value === 'string') {
    const [, before = '', found = '', behind = ''] = naming.exec(value) ?? [];
    const name = found === '' ? undefined : nameOf(found.toLowerCase(), place);
    return name === undefined ? value : `${before}${name}${behind}`;
  }
  if (Array.isArray(value)) return value.map((item: Json) => withNames(item, place, nameOf));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNames(member, place, nameOf)]));
};

/** Returns the members of a record, with the labels of a prompt by their names in files. */
const withLabels = ({ folder }: Kind, whole: JsonObject, toHandle: (name: string) => string): JsonObject =>
  folder === 'prompts' && whole.labels !== undefined
    ? { ...whole, labels: toTexts(whole.labels).map(toHandle) }
    : whole;

/** Reads the records of a gateway, and the list of each kind and workspace only once. */
export class StoreReader {
  readonly #api: ApplyApi;
  readonly #lists = new Map<string, Promise<readonly ListedRecord[]>>();

  constructor(api: ApplyApi) {
    this.#api = api;
  }

  /** Lists the records of a kind in a place; none if the workspace does not exist. */
  list(kind: Kind, place: Place): Promise<readonly ListedRecord[]> {
    const folder = toFolder(kind, place);
    const known = this.#lists.get(folder) ?? this.#list(kind, place);
    this.#lists.set(folder, known);
    return known;
  }

  async #list(kind: Kind, place: Place): Promise<readonly ListedRecord[]> {
    if (place !== null && !(await this.hasWorkspace(place))) return [];
    const records = await this.#api.list(kind.path, place, kind.listQuery?.(place) ?? {});
    return records
      .filter((record) => isOfPlace(kind, record, place) && (kind.isListed?.(record) ?? true))
      .map((head) => ({
        ...{ kind, place, head },
        id: findText(head.id) ?? '',
        name: findText(kind.byName ? head.name : head.slug) ?? '',
      }));
  }

  async hasWorkspace(slug: string): Promise<boolean> {
    return (await this.list(workspaceKind, null)).some(({ name }) => name === slug);
  }

  /** Reads whole records, and omits those that are gone meanwhile. */
  async whole(listed: readonly ListedRecord[], names: FileNames): Promise<readonly StoredRecord[]> {
    const read = await mapRequests(listed, async (each): Promise<StoredRecord | undefined> => {
      const { kind, place } = each;
      // A prompt's reference reads its published version.
      const path = `${kind.path}/${encodeURIComponent(each.id)}`;
      const found = await this.#api.read(path, place);
      if (found === undefined) return undefined;
      const further =
        kind.furtherPath === undefined ? undefined : await this.#api.read(`${path}/${kind.furtherPath}`, place);
      const whole = { ...found.body, ...further?.body };
      const named = withNames(whole, place, names.nameOf) as JsonObject;
      const body = normalise(
        kind,
        withLabels(kind, named, (name) => names.labelHandle(name, place)),
      );
      return { ...each, etag: found.etag, whole, body };
    });
    return read.filter((each) => each !== undefined);
  }
}
