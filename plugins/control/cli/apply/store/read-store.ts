import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { isJsonObject } from '../../../../../schema/json/json.ts';
import { findText, toTexts } from '../../../../../schema/json/loose.ts';
import { type Kind, type Place, toFolder } from '../kinds/kind.ts';
import { normalise, workspaceKind } from '../kinds/kinds.ts';
import { type ApplyApi, isOfPlace, mapSome } from './api.ts';

/** A record as lists show it. */
export interface ListedRecord {
  readonly kind: Kind;
  readonly place: Place;
  readonly id: string;
  /** Its slug, or its name where it has none. */
  readonly name: string;
  readonly head: JsonObject;
}

/** A whole record. */
export interface StoredRecord extends ListedRecord {
  readonly etag: string | undefined;
  /** As the API shows it. */
  readonly whole: JsonObject;
  /** Its members as files have them, with names in place of ids. */
  readonly body: JsonObject;
}

/** Gives the names that ids of other records have in files. */
export type NameOfId = (id: string, place: Place) => string | undefined;

/** Gives the names that files have for records. */
export interface FileNames {
  readonly nameOf: NameOfId;
  /** That of a label, which the API names by its own name. */
  readonly labelHandle: (name: string, place: Place) => string;
}

const id = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const naming = new RegExp(`^(@|config:)?(${id})(/.*|@.*)?$`, 'is');

/** A value with names in place of the ids of known records, where a text is such a name as a whole. */
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

/** The members of a record, with the labels of a prompt as files name them. */
const withLabels = ({ folder }: Kind, whole: JsonObject, toHandle: (name: string) => string): JsonObject =>
  folder === 'prompts' && whole.labels !== undefined
    ? { ...whole, labels: toTexts(whole.labels).map(toHandle) }
    : whole;

/** Reads the records of a gateway, the lists of each kind and workspace once. */
export class StoreReader {
  readonly #api: ApplyApi;
  readonly #lists = new Map<string, Promise<readonly ListedRecord[]>>();

  constructor(api: ApplyApi) {
    this.#api = api;
  }

  /** Lists the records of a kind in a place; a workspace that is not there has none. */
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

  /** Reads whole records; those that are gone meanwhile are left out. */
  async whole(listed: readonly ListedRecord[], names: FileNames): Promise<readonly StoredRecord[]> {
    const read = await mapSome(listed, async (each): Promise<StoredRecord | undefined> => {
      const { kind, place } = each;
      // The reference of a prompt is the version that is published.
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
