import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommandSpec, CommandTree } from '../../../../schema/command-help/command-spec.ts';
import { fileEndings, withoutEnding } from '../../../../schema/config/file-names.ts';
import { canonicalJson } from '../../../../schema/json/canonical.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { withValues } from '../../../../schema/json/with-values.ts';
import { errorCode } from '../../../../schema/text/error-code.ts';
import { fileError } from '../../../../schema/text/file-error.ts';
import { isPlaceholder, readPlaces } from '../../kernel/secrets/literals.ts';
import { accessNotes, gatewayAccess, refuseKeyFlag } from '../client/gateway-access.ts';
import {
  assertUsable,
  type ControlServices,
  type ExitCode,
  type FlagValues,
  findFlagText,
  runFailure,
  usageFailure,
  withArguments,
} from '../command-line/services.ts';
import { noOrigin } from '../resources/format-problems.ts';
import { reportRefusal } from '../resources/format-refusal.ts';
import { printable } from '../resources/texts.ts';
import { Names } from './changes/names.ts';
import { isSlug, settingsName, settingsNames } from './folder/read-folder.ts';
import { type Place, toKey } from './kinds/kind.ts';
import { kinds, workspaceKind } from './kinds/kinds.ts';
import { readingScopes, requireScopes } from './needed-scopes.ts';
import { nameSecrets, type SecretPlace } from './secret-names.ts';
import { ApplyApi, type Caller, mapRequests } from './store/api.ts';
import { notExported } from './store/not-exported.ts';
import { type ListedRecord, type StoredRecord, StoreReader } from './store/read-store.ts';
import { targetFlags } from './target-flags.ts';

const spec: CommandSpec = {
  name: 'gw export',
  summary: 'Exports a store into a folder that gw apply can read.',
  positionals: 'FOLDER',
  takes: { min: 1, max: 1 },
  options: {
    name: {
      type: 'string',
      value: 'NAME',
      describe: "The name under which the store records what the folder creates; the folder's own name by default.",
    },
    force: { type: 'boolean', describe: 'Overwrite files in a folder that is not empty. Other files stay.' },
    ...targetFlags,
  },
  notes: [
    'No secrets are written: files refer to variables, which are listed at the end. What a folder cannot express is listed too.',
    '',
    accessNotes,
  ].join('\n'),
  examples: ['gw export exported'],
};

export const exportTree: CommandTree = { spec };

/** A record with the name of its file. */
interface Exported extends ListedRecord {
  readonly handle: string;
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 200) || 'unnamed';

/** Names the files of records without slugs, in the same way for the same names. */
const withHandles = (records: readonly ListedRecord[]): readonly Exported[] => {
  const taken = new Set<string>();
  return [...records]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((each) => {
      const own = each.kind.byName ? slugOf(each.name) : each.name;
      let handle = own;
      for (let number = 2; taken.has(handle.toLowerCase()); number += 1) handle = `${own}-${number}`;
      taken.add(handle.toLowerCase());
      return { ...each, handle };
    });
};

/** Writes members in sorted order, so that equal bodies are equal files. */
const toText = (body: JsonObject): string => `${JSON.stringify(fromJson(canonicalJson(body)), undefined, 2)}\n`;

/** Lists all records that the caller reaches, with the names of their files. */
const listAll = async (reader: StoreReader, { reach, workspace }: Caller): Promise<readonly Exported[]> => {
  const workspaces = (await reader.list(workspaceKind, null)).map(({ name }) => name);
  const places: readonly Place[] = reach === 'organisation' ? [null, ...workspaces] : [workspace ?? null];
  const lists = places.flatMap((place) =>
    kinds
      .filter(({ owner }) => (place === null ? owner !== 'workspace' : owner !== 'organisation'))
      .map((kind) => ({ kind, place })),
  );
  if (reach !== 'organisation') lists.push({ kind: workspaceKind, place: null });
  const listed = await mapRequests(lists, async ({ kind, place }) => withHandles(await reader.list(kind, place)));
  return listed.flat();
};

/** The files of a store, by path, and notes for the user. */
interface ExportedFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly variables: readonly string[];
  readonly left: readonly string[];
}

const toFiles = async (
  reader: StoreReader,
  all: readonly Exported[],
  { api, organisation }: { readonly api: ApplyApi; readonly organisation: string },
): Promise<ExportedFiles> => {
  const wrong = all.find(({ handle }) => !isSlug(handle));
  if (wrong !== undefined)
    throw runFailure(
      `The gateway has a ${wrong.kind.noun} whose slug cannot be a file name: ${printable(wrong.handle)}.`,
      'Use a gw of the same version as the gateway.',
    );
  const names = new Names(organisation);
  for (const { id, ...named } of all) names.note(id, named);
  const handles = new Map(all.map(({ id, handle }) => [id, handle]));
  const whole = await reader.whole(all, names);
  const exported = whole.map((each) => ({ ...each, handle: handles.get(each.id) ?? each.name }));
  const { left, kept } = await notExported(exported, api);
  const bodies = kept
    .map((each) => [toKey(each.kind, each.place, each.handle), toBody(each)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const places = bodies.flatMap(([key, body]): readonly SecretPlace[] =>
    readPlaces(body, isPlaceholder).map(([pointer]) => ({ key, pointer })),
  );
  const variables = nameSecrets(places);
  const files = new Map<string, string>();
  for (const [key, body] of bodies) {
    const own = places
      .filter((each) => each.key === key)
      .map(({ pointer }): readonly [JsonPointer, Json] => [pointer, `\${env:${variables.get(`${key}${pointer}`)}}`]);
    files.set(`${key}.json`, toText(withValues(body, new Map(own)) as JsonObject));
  }
  return { files, variables: [...variables.values()], left };
};

/** Omits a record's name if it is the name of its file. */
const toBody = ({ kind, handle, body }: StoredRecord & { readonly handle: string }): JsonObject => {
  const { name, ...others } = body;
  return kind.byName || name !== handle ? body : others;
};

/** Reads the name in the settings of a folder. */
const readName = async (root: string, services: ControlServices): Promise<string | undefined> => {
  for (const name of settingsNames) {
    try {
      const { value } = services.readJson(await services.readText(path.join(root, name)), name);
      return isJsonObject(value) ? findText(value.name) : undefined;
    } catch {
      // The folder has no such file.
    }
  }
  return undefined;
};

/** Rejects a file if the folder has one for the same record with another extension, because gw apply would refuse the folder. */
const refuseTwin = async (root: string, name: string): Promise<void> => {
  for (const ending of fileEndings) {
    const twin = `${withoutEnding(name)}${ending}`;
    const isThere =
      twin !== name &&
      (await stat(path.join(root, twin)).then(
        () => true,
        () => false,
      ));
    assertUsable(!isThere, `${twin} describes the same record as ${name}, which would be written.`, 'Remove it first.');
  }
};

/** Resolves the links of a folder path, even if the folder does not exist yet. */
const findReal = async (folder: string): Promise<string> => {
  try {
    return await realpath(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(await findReal(parent), path.basename(folder));
  }
};

/** Rejects a file that a link in the folder would place outside of it. */
const refuseOutside = async (root: string, name: string): Promise<void> => {
  const folder = path.relative(await findReal(root), await findReal(path.dirname(path.join(root, name))));
  assertUsable(
    !folder.startsWith('..') && !path.isAbsolute(folder),
    `${path.dirname(name)} is a link that leads out of the folder.`,
    'Remove the link.',
  );
};

const write = async (services: ControlServices, given: string, files: ReadonlyMap<string, string>): Promise<void> => {
  const root = path.resolve(services.cwd, given);
  for (const name of files.keys()) {
    await refuseTwin(root, name);
    await refuseOutside(root, name);
  }
  const texts = new Map([...files].map(([name, text]) => [path.join(root, name), text]));
  await services.writeFiles(texts, { named: given, hint: 'Name another folder.' });
};

const exportStore = async (services: ControlServices, given: string, values: FlagValues): Promise<ExitCode> => {
  const access = await gatewayAccess(services, values);
  assertUsable(given !== '', 'The name of the folder is empty.', 'Name a folder.');
  const root = path.resolve(services.cwd, given);
  const there = await readdir(root).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw usageFailure(`${given} cannot be written: ${fileError(error)}.`, 'Name a folder.');
  });
  assertUsable(
    there.length === 0 || values.force === true,
    `${given} is not empty.`,
    'Name another folder, or overwrite its files with --force.',
  );
  const name = findFlagText(values.name) ?? (await readName(root, services)) ?? slugOf(path.basename(root));
  assertUsable(
    isSlug(name),
    `The name "${name}" is not a valid slug.`,
    'Names may contain only letters, digits, "-" and "_".',
  );
  try {
    const api = await ApplyApi.find(access);
    const caller = await api.caller();
    requireScopes(caller, readingScopes(kinds), 'read the whole store');
    const reader = new StoreReader(api);
    const { files, variables, left } = await toFiles(reader, await listAll(reader, caller), {
      api,
      organisation: caller.organisation,
    });
    await write(services, given, new Map([[settingsName, toText({ name })], ...files]));
    services.out.write(`${files.size} files were written to ${given}.\n`);
    if (variables.length > 0)
      services.out.write(
        `gw apply requires these variables with the secrets:\n${variables.map((each) => `  ${each}\n`).join('')}`,
      );
    if (left.length > 0)
      services.err.write(`gw: A folder cannot express:\n${left.map((each) => `  ${printable(each)}\n`).join('')}`);
    return 0;
  } catch (error) {
    return reportRefusal(error, { access, origin: noOrigin }, services);
  }
};

/** `gw export FOLDER`. */
export const runExport = (services: ControlServices, argv: readonly string[]): Promise<ExitCode> => {
  refuseKeyFlag(argv);
  return withArguments(services, spec, argv, ({ values, positionals: [given = ''] }) =>
    exportStore(services, given, values),
  );
};
