import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import {
  fileEndings,
  fileEndingsText,
  hasFileEnding,
  isRouteFile,
  withoutEnding,
} from '../../../../../schema/config/file-names.ts';
import { isJsonObject, type JsonObject } from '../../../../../schema/json/json.ts';
import { rootPointer } from '../../../../../schema/json/pointer.ts';
import { suggestName } from '../../../../../schema/text/closest-name.ts';
import { errorCode } from '../../../../../schema/text/error-code.ts';
import { fileError, fileHint } from '../../../../../schema/text/file-error.ts';
import { assertUsable, type ControlServices, usageFailure } from '../../command-line/services.ts';
import type { FileOfBody } from '../../resources/format-problems.ts';
import { type Kind, type Place, toKey } from '../kinds/kind.ts';
import { kinds, kindsByFolder, workspaceKind } from '../kinds/kinds.ts';
import type { Problems } from './problems.ts';

/** A file that describes a record. */
export interface FolderFile {
  /** Its path without the extension: `workspaces/research/providers/main`. */
  readonly key: string;
  /** Its path in the folder. */
  readonly path: string;
  readonly kind: Kind;
  readonly place: Place;
  /** Its name without the extension, which is the slug of records that have one. */
  readonly handle: string;
  readonly file: FileOfBody;
  readonly body: JsonObject;
}

export interface ReadFolder {
  /** The name under which the store records what the folder has created. */
  readonly name: string;
  readonly files: readonly FolderFile[];
  /** The workspaces that have a folder. */
  readonly workspaces: ReadonlySet<string>;
}

/** The name under which gw export writes the file that names a folder. */
export const settingsName = 'gatewright.json';

/** The possible names of the file that names a folder. */
export const settingsNames: readonly string[] = fileEndings.map((ending) => `${withoutEnding(settingsName)}${ending}`);

const maxFiles = 10_000;
const maxBytes = 1024 * 1024;

/** Checks whether a text can be a slug, and therefore the name of a file. */
export const isSlug = (text: string): boolean => /^[\w-]{1,255}$/.test(text);

const slugHint = 'Names may contain only letters, digits, "-" and "_".';

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** Reads the files of a folder with their names. Links are not followed, so nothing outside of the folder is read. */
class FolderReader {
  readonly #root: string;
  readonly #shown: string;
  readonly #services: Pick<ControlServices, 'readJson'>;
  readonly #problems: Problems;
  #count = 0;

  constructor(root: string, shown: string, services: Pick<ControlServices, 'readJson'>, problems: Problems) {
    this.#root = root;
    this.#shown = shown;
    this.#services = services;
    this.#problems = problems;
  }

  /** Lists the contents of a folder, sorted, without hidden files and documentation. */
  async entries(folder: string): Promise<readonly Entry[]> {
    const found = await readdir(path.join(this.#root, folder), { withFileTypes: true });
    const seen = new Map<string, string>();
    const entries: Entry[] = [];
    for (const entry of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry;
      const place = path.posix.join(folder, name);
      if (name.startsWith('.') || name.endsWith('.md')) continue;
      const [folded, other] = [name.toLowerCase(), seen.get(name.toLowerCase())];
      seen.set(folded, name);
      if (entry.isSymbolicLink())
        this.#problems.note(place, 'This is a symbolic link, which is not followed.', 'Put the file itself here.');
      else if (!entry.isFile() && !entry.isDirectory())
        this.#problems.note(place, 'This is neither a file nor a folder.', 'Remove it.');
      else if (other !== undefined)
        this.#problems.note(
          place,
          `Its name differs from "${other}" only in upper and lower case, and some systems treat the two as one.`,
          'Rename one of them.',
        );
      else entries.push({ name, isFolder: entry.isDirectory() });
    }
    return entries;
  }

  /** Reads a file; undefined if it is not a JSON object, which is reported. */
  async read(place: string): Promise<{ readonly file: FileOfBody; readonly body: JsonObject } | undefined> {
    this.#count += 1;
    assertUsable(
      this.#count <= maxFiles,
      `${this.#shown} has more than ${maxFiles} files.`,
      'Divide it into several folders.',
    );
    const text = await this.#text(place);
    if (text === undefined) return undefined;
    const name = path.join(this.#shown, place);
    const read = this.#services.readJson(text, name);
    if (read.value === undefined) {
      const file = { name, text, prefix: rootPointer, diagnostics: read.diagnostics };
      for (const { message, hint = '' } of read.diagnostics) this.#problems.at(file, '', { message, hint });
      return undefined;
    }
    const { value, locate } = read;
    const file: FileOfBody = { name, text, prefix: rootPointer, value, locate: (finding) => locate(finding) };
    if (isJsonObject(value)) {
      const { $schema: _, ...body } = value;
      return { file, body };
    }
    this.#problems.at(file, '', {
      message: 'This is not an object.',
      hint: 'Write the members of the record: { "name": "…" }.',
    });
    return undefined;
  }

  async #text(place: string): Promise<string | undefined> {
    try {
      // A link that has replaced the file meanwhile is not followed either.
      const handle = await open(path.join(this.#root, place), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      try {
        const { size } = await handle.stat();
        if (size <= maxBytes) return new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile());
        this.#problems.note(place, `The file has ${size} bytes.`, `A file has at most ${maxBytes} bytes: split it.`);
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (error instanceof TypeError) this.#problems.note(place, 'The file is not in UTF-8.', 'Save it as UTF-8.');
      else this.#problems.note(place, `The file cannot be read: ${fileError(error)}.`, fileHint(error));
    }
    return undefined;
  }
}

const ofOrganisation = kinds.filter(({ owner, folder }) => owner !== 'workspace' && folder !== workspaceKind.folder);
const ofWorkspaces = kinds.filter(({ owner }) => owner !== 'organisation');

const folderErrors: Readonly<Record<string, (given: string) => string>> = {
  ENOENT: (given) => `There is no folder ${given}.`,
  ENOTDIR: (given) => `${given} is a file.`,
};

const folders = (of: readonly Kind[]): readonly string[] => of.map(({ folder }) => folder);

/**
 * Reads a folder, and reports what is wrong with its names and with its files as JSON. Throws a `CommandFailure` if the folder
 * does not exist, or has no name.
 */
export const readFolder = async (
  given: string,
  services: Pick<ControlServices, 'readJson' | 'cwd'>,
  problems: Problems,
): Promise<ReadFolder> => {
  assertUsable(given !== '', 'The name of the folder is empty.', 'Name a folder that gw export has written.');
  const root = path.resolve(services.cwd, given);
  const reader = new FolderReader(root, given, services, problems);
  const top = await reader.entries('').catch((error: unknown) => {
    const code = errorCode(error);
    throw usageFailure(
      folderErrors[code ?? '']?.(given) ?? `The folder ${given} cannot be read: ${fileError(error)}.`,
      'Name a folder that gw export has written.',
    );
  });
  const [settingsFile, ...others] = top
    .filter(({ name, isFolder }) => settingsNames.includes(name) && !isFolder)
    .map((entry) => entry.name);
  assertUsable(
    settingsFile !== undefined,
    `${given} has no file ${settingsName} or gatewright.yaml.`,
    `Write { "name": "NAME" } into ${settingsName}. Under this name the store records what the folder has created.`,
  );
  for (const other of others)
    problems.note(other, `${settingsFile} already contains the name of the folder.`, 'Keep one of the two files.');
  const settings = await reader.read(settingsFile);
  const { name = '' } = settings?.body ?? {};
  if (settings !== undefined && !(typeof name === 'string' && isSlug(name)))
    problems.at(settings.file, settings.body.name === undefined ? '' : '/name', {
      message: 'The folder has no name.',
      hint: `Write "name". ${slugHint}`,
    });

  const files: FolderFile[] = [];
  const paths = new Map<string, string>();
  const workspaces = new Set<string>();

  const readRecord = async (where: string, kind: Kind, place: Place): Promise<void> => {
    const handle = withoutEnding(path.posix.basename(where));
    const key = toKey(kind, place, handle);
    const other = paths.get(key);
    if (other !== undefined) {
      problems.note(where, `${other} describes the same record.`, 'Keep one of the two files.');
      return;
    }
    paths.set(key, where);
    const read = await reader.read(where);
    if (read !== undefined) files.push({ key, path: where, kind, place, handle, ...read });
  };

  const readFiles = async (folder: string, kind: Kind, place: Place): Promise<void> => {
    for (const { name: entry, isFolder } of await reader.entries(folder)) {
      const where = path.posix.join(folder, entry);
      // Route tests may be in the same folder as configs.
      if (!isFolder && isRouteFile(entry)) continue;
      if (isFolder) {
        if (kind === workspaceKind && isSlug(entry)) {
          workspaces.add(entry);
          await readKinds(where, ofWorkspaces, entry);
        } else
          problems.note(
            where,
            'There must be no folder here.',
            kind === workspaceKind ? slugHint : 'Move its files up.',
          );
      } else if (!hasFileEnding(entry))
        problems.note(
          where,
          'This file does not describe a record.',
          `Rename it so that it ends in ${fileEndingsText}, or remove it.`,
        );
      else if (!isSlug(withoutEnding(entry))) problems.note(where, 'The file name is not a valid slug.', slugHint);
      else await readRecord(where, kind, place);
    }
  };

  const readKinds = async (folder: string, of: readonly Kind[], place: Place): Promise<void> => {
    for (const { name: entry, isFolder } of await reader.entries(folder)) {
      const where = path.posix.join(folder, entry);
      const kind = of.find((each) => each.folder === entry);
      if (kind !== undefined && isFolder) await readFiles(where, kind, place);
      else
        problems.note(
          where,
          kindsByFolder.has(entry) && isFolder
            ? 'Records of this kind belong in another folder.'
            : 'There is no kind of record with this name.',
          suggestName(entry, folders(of), `There can be ${folders(of).join(', ')}.`),
        );
    }
  };

  for (const { name: entry, isFolder } of top) {
    if (!isFolder && (settingsNames.includes(entry) || !hasFileEnding(entry))) continue;
    if (entry === 'organisation' && isFolder) await readKinds(entry, ofOrganisation, null);
    else if (entry === workspaceKind.folder && isFolder) await readFiles(entry, workspaceKind, null);
    else
      problems.note(
        entry,
        'There is no kind of record with this name.',
        suggestName(
          entry,
          ['organisation', 'workspaces'],
          `There can be ${settingsName}, organisation and workspaces.`,
        ),
      );
  }
  return { name: typeof name === 'string' ? name : '', files, workspaces };
};
