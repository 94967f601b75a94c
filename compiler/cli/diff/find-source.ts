import path from 'node:path';
import { planFileName } from '../../../schema/plan/plan-file-name.ts';
import type { CommandServices, Environment, StoreFlags } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { compileFiles, gatewayDiagnostics } from '../configs/compiled-files.ts';
import { displayPath } from '../files/config-files.ts';
import { missingPath } from '../files/missing-path.ts';
import { readEnvironment, readGatewayFile } from '../files/read-environment.ts';
import type { CompiledFile } from '../report/compiled-file.ts';
import { compileSavedConfig } from '../saved-configs/compile-saved-config.ts';
import { StoreNames } from '../saved-configs/store-names.ts';
import { findRevision, revisionIo } from './git-reader.ts';

/** A compiled file. In two folders, files with the same key are compared. */
export interface SourceFile extends CompiledFile {
  readonly key: string;
}

/** The configs that one argument of `gw diff` names, compiled. */
export interface Source {
  readonly kind: 'one' | 'folder';
  readonly environment: Environment;
  /** The gateway file first, if it has findings of its own. */
  readonly files: readonly SourceFile[];
}

export type SourceFlags = StoreFlags & { readonly config?: string | undefined };

/** A version of a config in a store: `chat`, `chat@3`. */
const savedName = /^([\w-]{1,255})(?:@(\d{1,6}))?$/;

/** `main:configs/chat.json`; the path starts at the root of the repository, or with `./` at the working folder. */
const revisionPath = /^([^:]+):(.*)$/s;

const namedBy = (files: readonly SourceFile[], label: (file: string) => string): readonly SourceFile[] =>
  files.map((each) => ({
    ...each,
    file: label(each.file),
    diagnostics: each.diagnostics.map((found) => ({ ...found, file: label(found.file ?? each.file) })),
  }));

/** Adds the name under which a config is served, with its folder relative to the one that was named. */
const withKey = (file: CompiledFile, root: string): SourceFile => {
  const below = path.posix.relative(root, path.posix.dirname(file.file));
  return { ...file, key: path.posix.join(below, planFileName(file.plan?.name ?? '')) };
};

const fromFiles = async (services: CommandServices, place: string, flags: SourceFlags): Promise<Source> => {
  const { io } = services;
  const kind = (await io.readKind(place)) === 'folder' ? 'folder' : 'one';
  const names = new StoreNames(() => services.storeIfSet(flags));
  const { config } = flags;
  const { environment, files } = await compileFiles(services, { paths: [place], config, deep: true, names });
  const root = displayPath(place, io.cwd);
  return { kind, environment, files: files.map((file) => withKey(file, root)) };
};

/** Reads the same files as they were at a revision, with the gateway file of that revision. */
export const fromRevision = async (
  services: CommandServices,
  {
    revision: name,
    path: place,
    isFromRoot,
  }: { readonly revision: string; readonly path: string; readonly isFromRoot: boolean },
  flags: SourceFlags,
): Promise<Source> => {
  const { io, git } = services;
  const revision = await findRevision(git, name, io.cwd);
  const up = '../'.repeat(revision.prefix.split('/').length - 1);
  const inFolder = isFromRoot ? `${up}${place}` : place;
  const source = await fromFiles(
    { ...services, io: revisionIo(io, git, revision) },
    inFolder === '' ? '.' : inFolder,
    flags,
  ).catch((error: unknown) => {
    if (!(error instanceof UsageError) || !error.message.startsWith('There is no file')) throw error;
    throw new UsageError(
      `The revision ${name} has no file or folder "${place}".`,
      'git ls-tree -r --name-only shows what it has.',
    );
  });
  const shown = (file: string): string => `${name}:${path.posix.normalize(`${revision.prefix}${file}`)}`;
  return { ...source, files: namedBy(source.files, shown) };
};

const fromStore = async (
  services: CommandServices,
  { name, version }: { readonly name: string; readonly version: number | undefined },
  flags: SourceFlags,
): Promise<Source> => {
  const store = await services.store(flags);
  const gatewayFile = await readGatewayFile(services, flags.config);
  const { text, ...environment } = await readEnvironment(services, gatewayFile);
  const own = gatewayDiagnostics({ ...environment, ...(text !== undefined && { text }) }, gatewayFile, services.io.cwd);
  const ownFiles = own.map((file) => withKey(file, '.'));
  if (environment.unread === true) return { kind: 'one', environment, files: ownFiles };
  const compiled = await compileSavedConfig(services, name, { environment, store, recorded: undefined, version });
  const { slug, version: number } = compiled.saved;
  const shown = namedBy([withKey(compiled, '.')], () => `${slug}@${number}`);
  return { kind: 'one', environment, files: [...ownFiles, ...shown] };
};

/**
 * Finds the configs that an argument names: an existing file or folder, `REVISION:PATH` of the git repository, or a config of a
 * store, optionally with a version. Rejects with a `UsageError`.
 */
export const findSource = async (services: CommandServices, argument: string, flags: SourceFlags): Promise<Source> => {
  const { io } = services;
  if ((await io.readKind(argument)) !== undefined) return fromFiles(services, argument, flags);
  const [, revision, place] = revisionPath.exec(argument) ?? [];
  if (revision !== undefined && place !== undefined) {
    const isFromRoot = !/^\.\.?(?:\/|$)/.test(place);
    return fromRevision(services, { revision, path: place, isFromRoot }, flags);
  }
  const [, name, version] = savedName.exec(argument) ?? [];
  if (name !== undefined)
    return fromStore(services, { name, version: version === undefined ? undefined : Number(version) }, flags);
  throw await missingPath(io, {
    given: displayPath(argument, io.cwd),
    otherwise: `Paths start at ${io.cwd}. A revision is REVISION:PATH, and a config of a store NAME or NAME@VERSION.`,
  });
};
