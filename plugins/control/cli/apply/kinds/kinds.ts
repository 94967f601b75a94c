import { canonicalJson } from '../../../../../schema/json/canonical.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { isJsonObject } from '../../../../../schema/json/json.ts';
import { withoutNulls } from '../../../../../schema/json/loose.ts';
import { resources } from '../../../resources.ts';
import { describedKind } from './described.ts';
import type { Kind } from './kind.ts';
import { writtenKinds } from './written.ts';

/** Folders do not contain the records of what an apply has created. */
const described = resources.filter(({ path }) => path !== '/applies').map(describedKind);

/** Kinds whose records refer to written kinds, which therefore come after them. */
const last = ['virtual-models'];

/** All kinds of records that files describe. A kind comes after those that its records refer to. */
export const kinds: readonly Kind[] = [
  ...described.filter(({ folder }) => !last.includes(folder)),
  ...writtenKinds.slice(0, 3),
  ...described.filter(({ folder }) => last.includes(folder)),
  ...writtenKinds.slice(3),
];

export const kindsByFolder: ReadonlyMap<string, Kind> = new Map(kinds.map((kind) => [kind.folder, kind]));

/** The kind of workspaces themselves, whose files are beside the folders of workspaces. */
export const workspaceKind: Kind = kindsByFolder.get('workspaces') as Kind;

export const labelKind: Kind = kindsByFolder.get('labels') as Kind;

export const keyKind: Kind = kindsByFolder.get('keys') as Kind;

const isNothing = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0);

/** Removes members of limits that follow from the other members. */
const normaliseLimits = (value: Json): Json => {
  if (!isJsonObject(value)) return value;
  const { next_usage_reset_at: _, ...limits } = value;
  return withoutNulls(limits);
};

const nested: Readonly<Record<string, (value: Json) => Json>> = {
  usage_limits: normaliseLimits,
  workspace_limits: (value) =>
    Array.isArray(value)
      ? value
          .map((each: Json): Json => (isJsonObject(each) ? tidy(each) : each))
          .sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1))
      : value,
};

const tidy = (body: JsonObject, kept: readonly string[] = []): JsonObject =>
  Object.fromEntries(
    Object.entries(body)
      .map(([name, value]): [string, Json] => [name, nested[name]?.(value) ?? value])
      .filter(([name, value]) => !isNothing(value) || (kept.includes(name) && value !== null)),
  );

/** Converts a body to the form that is compared and written into files: without empty members. */
export const normalise = (kind: Kind, body: JsonObject): JsonObject => {
  const own = Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(kind.members, name)));
  const tidied = tidy(own, kind.required);
  return tidy(kind.normalise?.(tidied) ?? tidied, kind.required);
};

/** Returns the members of the request that changes a record; a member that is removed is null or empty. */
export const toChange = (
  kind: Kind,
  { before, wanted }: { readonly before: JsonObject; readonly wanted: JsonObject },
): JsonObject => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(wanted)])];
  const changed = names.filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(wanted[name] ?? null));
  const body = Object.fromEntries(
    changed.map((name): [string, Json] => [name, wanted[name] ?? emptyValue(kind, name, before[name] ?? null)]),
  );
  const request = isJsonObject(body.settings) && kind === workspaceKind ? withTakenAway(body, before) : body;
  return kind.toRequest?.(request, { isNew: false, wanted }) ?? request;
};

/** Sets removed settings to null, because a change of a workspace keeps the settings that it does not name. */
const withTakenAway = (body: JsonObject, { settings }: JsonObject): JsonObject => {
  const names = isJsonObject(settings) ? Object.keys(settings) : [];
  return {
    ...body,
    settings: { ...Object.fromEntries(names.map((name) => [name, null])), ...(body.settings as JsonObject) },
  };
};

const emptyValue = ({ members }: Kind, name: string, before: Json): Json => {
  if (members[name]?.anyOf !== undefined) return null;
  if (isJsonObject(before)) return {};
  return Array.isArray(before) ? [] : null;
};

/** Finds the fixed members of a record that differ from the file. */
export const fixedChanges = (
  kind: Kind,
  { before, wanted }: { readonly before: JsonObject; readonly wanted: JsonObject },
): readonly string[] =>
  Object.keys({ ...before, ...wanted }).filter(
    (name) => !kind.changeable.has(name) && canonicalJson(before[name] ?? null) !== canonicalJson(wanted[name] ?? null),
  );
