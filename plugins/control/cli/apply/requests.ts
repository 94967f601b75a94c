import { canonicalJson } from '../../../../schema/json/canonical.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toTexts } from '../../../../schema/json/loose.ts';
import { fromPointer, type JsonPointer } from '../../../../schema/json/pointer.ts';
import { withValues } from '../../../../schema/json/with-values.ts';
import { runFailure } from '../command-line/services.ts';
import { type Names, toCandidates } from './changes/names.ts';
import type { WantedRecord } from './changes/step.ts';
import { findReferences, organisationName } from './folder/references.ts';
import type { Place } from './kinds/kind.ts';
import { keyKind, normalise, toChange } from './kinds/kinds.ts';
import type { ApiAnswer, ApplyApi } from './store/api.ts';
import type { StoredRecord } from './store/read-store.ts';

const pathOf = ({ kind, id }: StoredRecord): string => `${kind.path}/${encodeURIComponent(id)}`;

/** Returns the members of a file with secrets in place of their references, and with ids in place of names. */
const withIds = (body: JsonObject, { secrets, references, place }: WantedRecord, names: Names): JsonObject => {
  const values = new Map<JsonPointer, Json>(secrets);
  for (const reference of references) {
    const { isId = false, isOrganisation = false, name } = reference;
    const found = isId ? names.findId(toCandidates(reference, place)) : undefined;
    const id = isOrganisation && name === organisationName ? names.organisation : found;
    if (id !== undefined) values.set(reference.pointer, id);
  }
  return withValues(body, values) as JsonObject;
};

/** Returns the members that identify the owner of a new record. */
const ownerMembers = ({ kind, place, handle }: WantedRecord, { organisation }: Names): JsonObject => {
  if (kind === keyKind) return place === null ? { kind: 'organisation' } : {};
  // With a token of an identity provider, both are required.
  if (kind.path.startsWith('/policies/')) return { workspace_id: place, organisation_id: organisation };
  return {
    ...(!kind.byName && { slug: handle }),
    ...(kind.owner === 'either' && { scope: place === null ? 'organisation' : 'workspace' }),
  };
};

const without = ({ ...body }: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** Returns the body of the request that creates a record. */
export const creationBody = (wanted: WantedRecord, names: Names, later: readonly string[] = []): JsonObject => {
  const body = { ...without(wanted.body, ['labels', ...later]), ...ownerMembers(wanted, names) };
  return withIds(wanted.kind.toRequest?.(body, { isNew: true, wanted: wanted.body }) ?? body, wanted, names);
};

/** Returns the body of the request that changes a record. */
export const changeBody = (wanted: WantedRecord, found: StoredRecord, names: Names): JsonObject =>
  withIds(toChange(wanted.kind, { before: found.body, wanted: wanted.body }), wanted, names);

/** Returns the header that refuses a change if somebody has changed the record since it was read. */
export const ifMatch = (etag: string | undefined): { readonly headers?: Readonly<Record<string, string>> } =>
  etag === undefined ? {} : { headers: { 'if-match': etag } };

/** Returns the members of a version of a prompt or partial. */
const contentOf = (body: JsonObject): JsonObject => without(body, ['name', 'collection_id', 'labels']);

const setLabels = async (
  api: ApplyApi,
  { path, place, number }: { readonly path: string; readonly place: Place; readonly number: number },
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
): Promise<void> => {
  const set = (label: string, version: number | null) =>
    api.ask({ method: 'PUT', path: `${path}/labels`, body: { label, version } }, place);
  for (const label of before.filter((each) => !after.includes(each))) await set(label, null);
  for (const label of after.filter((each) => !before.includes(each))) await set(label, number);
};

/** Returns the labels of a file by the names that the API uses. */
const labelsOf = ({ body, place }: WantedRecord, names: Names): readonly string[] =>
  toTexts(body.labels).map((label) => names.labelName(label, place));

/** Assigns the labels of a file to the first version of a new prompt. */
export const labelFirst = (
  api: ApplyApi,
  { wanted, names, id }: { readonly wanted: WantedRecord; readonly names: Names; readonly id: string },
): Promise<void> =>
  setLabels(
    api,
    { path: `${wanted.kind.path}/${id}`, place: wanted.place, number: 1 },
    { before: [], after: labelsOf(wanted, names) },
  );

/** Reads the newest version of a prompt or partial, which a change has created or another apply has left unpublished. */
const readNewest = async (api: ApplyApi, found: StoredRecord): Promise<JsonObject> => {
  const { body } = await api.ask({ method: 'GET', path: `${pathOf(found)}@latest` }, found.place);
  return body;
};

/**
 * Creates and publishes a version of a prompt or partial if its content has changed. If the newest version already has this
 * content, that one is published.
 */
export const changeVersioned = async (
  api: ApplyApi,
  { wanted, found, names }: { readonly wanted: WantedRecord; readonly found: StoredRecord; readonly names: Names },
): Promise<void> => {
  const { kind, place } = wanted;
  const path = pathOf(found);
  const changed = changeBody(wanted, found, names);
  const about = Object.fromEntries(
    Object.entries(changed).filter(([name]) => ['name', 'collection_id'].includes(name)),
  );
  const isWanted = (body: JsonObject): boolean =>
    canonicalJson(contentOf(body)) === canonicalJson(contentOf(wanted.body));
  let { etag } = found;
  const put = async (to: string, body: JsonObject): Promise<ApiAnswer> => {
    const answer = await api.ask({ method: 'PUT', path: to, ...ifMatch(etag), body }, place);
    ({ etag } = answer);
    return answer;
  };
  const isPublished = isWanted(found.body);
  let version = isPublished ? found.whole : await readNewest(api, found);
  if (!isPublished && !isWanted(normalise(kind, version))) {
    const { body } = await put(path, { ...contentOf(wanted.body), ...about });
    version = await readNewest(api, found);
    if (version.version_id !== body.version_id)
      throw runFailure(`${wanted.key} was changed by somebody else meanwhile.`, 'Run the command again.');
  } else if (Object.keys(about).length > 0)
    await put(path, { ...about, ...(kind.folder === 'prompts' && { patch: true }) });
  const number = findNumber(version.version) ?? 0;
  if (!isPublished) await put(`${path}/makeDefault`, { version: number });
  await setLabels(api, { path, place, number }, { before: toTexts(version.labels), after: labelsOf(wanted, names) });
};

/** Deletes a record. A default config first stops being the default. */
export const deleteRecord = async (api: ApplyApi, found: StoredRecord): Promise<void> => {
  const { kind, place, body } = found;
  const path = pathOf(found);
  let { etag } = found;
  if (kind.folder === 'configs' && body.is_default === true)
    ({ etag } = await api.ask({ method: 'PUT', path, ...ifMatch(etag), body: { is_default: false } }, place));
  await api.ask({ method: 'DELETE', path, ...ifMatch(etag) }, place);
};

/**
 * Removes from the settings of a workspace the names of its records, which otherwise cannot be deleted. They stay while the
 * workspace has service keys: it cannot be deleted either, and requests with these keys would no longer be checked.
 */
export const clearSettings = async (api: ApplyApi, found: StoredRecord): Promise<StoredRecord> => {
  const { kind, name, body, etag } = found;
  const members = findReferences(kind, body).map(({ pointer }) => fromPointer(pointer)[1] ?? '');
  if (members.length === 0) return found;
  const keys = await api.list(keyKind.path, name, keyKind.listQuery?.(name));
  if (keys.some((key) => keyKind.isListed?.(key) === true)) return found;
  const settings = Object.fromEntries(members.map((member) => [member, null]));
  const changed = await api.ask({ method: 'PUT', path: pathOf(found), ...ifMatch(etag), body: { settings } }, name);
  return { ...found, etag: changed.etag, body: { ...body, settings: {} } };
};

/** Returns the id of a new record from the response to the request that created it. */
export const idIn = ({ body }: ApiAnswer): string | undefined =>
  findText(body.id) ?? findText(findObject(body.data)?.id);
