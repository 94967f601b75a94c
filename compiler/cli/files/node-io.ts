import { randomUUID } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import {
  access,
  chmod,
  chown,
  constants,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { WriteStream } from 'node:tty';
import { utf8Text } from '../../../schema/text/utf8-text.ts';
import type { CommandIo, TextOutput } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

/** Returns the kind of a path. A path that exists but cannot be examined counts as a file: reading it reports the reason. */
const readKind = async (file: string): Promise<'file' | 'folder' | undefined> => {
  try {
    return (await stat(file)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    return hasCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE') ? undefined : 'file';
  }
};

/** Whether a path is endless. A broken link is not: reading it reports the reason. */
const isEndless = async (file: string): Promise<boolean> => {
  try {
    const found = await stat(file);
    return !found.isFile() && !found.isDirectory();
  } catch {
    return false;
  }
};

/**
 * Creates a folder level by level, because Node's own `recursive` never returns if a level can be seen but not created, as below
 * `/proc`. Adds the created folders to `made`, outer folders first.
 */
const makeFolder = async (folder: string, made: string[]): Promise<void> => {
  if ((await readKind(folder)) === 'folder') return;
  await makeFolder(path.dirname(folder), made);
  try {
    await mkdir(folder);
    made.push(folder);
  } catch (error) {
    if (!hasCode(error, 'EEXIST') || (await readKind(folder)) !== 'folder') throw error;
  }
};

/** Removes the folders that are empty. */
const removeEmpty = async (folders: readonly string[]): Promise<void> => {
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => {});
};

/**
 * Returns the file that a path names: a link stays a link, and its target is replaced. Throws if the path is a pipe or a device, which
 * must not be replaced by a file.
 */
const toDestination = async (file: string): Promise<string> => {
  if (await isEndless(file)) throw new Error('it is a pipe or a device, and not a file');
  try {
    return await realpath(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return file;
    throw error;
  }
};

const isSame = async (file: string, text: string): Promise<boolean> =>
  (await readKind(file)) === 'file' && (await readFile(file, 'utf8')) === text;

/** Returns the file that will be replaced, if there is one. Rejects if it must not be written, or is a folder. */
const replacedFile = async (file: string): Promise<Stats | undefined> => {
  try {
    await access(file, constants.W_OK);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
  const found = await stat(file);
  if (found.isDirectory()) throw new Error(`"${path.basename(file)}" is a folder`);
  return found;
};

/**
 * Writes a new file with the owner and the permissions of the one that it will replace. Nobody else can read it meanwhile, because
 * it may contain credentials.
 */
const writeInstead = async (file: string, text: string, replaced: Stats | undefined): Promise<void> => {
  await writeFile(file, text, { flag: 'wx', ...(replaced !== undefined && { mode: 0o600 }) });
  if (replaced === undefined) return;
  const { uid, gid } = await stat(file);
  // Only the superuser may give a file to another user; others may give theirs to a group of theirs.
  if (uid !== replaced.uid || gid !== replaced.gid)
    await chown(file, replaced.uid, replaced.gid).catch(() => chown(file, uid, replaced.gid).catch(() => {}));
  await chmod(file, replaced.mode & 0o777);
};

/** Writes every file beside its destination first, so that errors occur before anything is replaced. */
const writeFiles = async (files: Iterable<readonly [file: string, text: string]>): Promise<void> => {
  const staged: { readonly from: string; readonly to: string }[] = [];
  const made: string[] = [];
  try {
    for (const [named, text] of files) {
      const to = await toDestination(named);
      if (await isSame(to, text)) continue;
      const replaced = await replacedFile(to);
      await makeFolder(path.dirname(to), made);
      const from = path.join(path.dirname(to), `.gw-${randomUUID()}.tmp`);
      staged.push({ from, to });
      await writeInstead(from, text, replaced);
    }
    for (const { from, to } of staged) await rename(from, to);
  } finally {
    await Promise.allSettled(staged.map(({ from }) => rm(from, { force: true })));
    await removeEmpty(made);
  }
};

/** Whether a stream shows colours: a terminal that supports them, or anything else if FORCE_COLOR is set. */
const hasColours = ({ isTTY }: NodeJS.WriteStream): boolean =>
  // Takes NO_COLOR, FORCE_COLOR and TERM into account.
  (isTTY === true || process.env.FORCE_COLOR !== undefined) && WriteStream.prototype.hasColors();

let isEnding = false;

/** Ends the process, because its output is lost, for example on a full disk. */
export const endUnprinted = (error: unknown): void => {
  if (isEnding) return;
  isEnding = true;
  void import('../../../schema/text/file-error.ts').then(({ fileError }) =>
    process.stderr.write(`gw: Standard output could not be written: ${fileError(error)}.\n`, () => process.exit(1)),
  );
};

const output = (stream: NodeJS.WriteStream): TextOutput => {
  // The reader may stop early, as `head` does; later output is then lost too.
  stream.on('error', (error) => {
    if (!hasCode(error, 'EPIPE')) endUnprinted(error);
  });
  return {
    write: (text) => {
      stream.write(text);
    },
    colour: hasColours(stream),
    stream,
  };
};

const readWhole = async (file: string): Promise<Buffer> => {
  if (!(await isEndless(file))) return readFile(file);
  const { readFileOrPipe } = await import('../../../plugins/sdk/files/read-file-or-pipe.ts');
  return readFileOrPipe(file);
};

async function* readChunks(file: string): AsyncGenerator<Buffer> {
  if (!(await isEndless(file))) return yield* createReadStream(file);
  const { readChunksOrPipe } = await import('../../../plugins/sdk/files/read-file-or-pipe.ts');
  yield* readChunksOrPipe(file);
}

const askTerminal = async (question: string): Promise<boolean> => {
  const { askLine } = await import('../command-line/ask-line.ts');
  return /^y(?:es)?$/i.test(await askLine(`${question} [y/N] `));
};

/** Returns the working folder. Throws a `UsageError` if it was removed, for example by a deployment. */
const workingFolder = (): string => {
  try {
    return process.cwd();
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new UsageError('The working folder does not exist any more.', 'Change to a folder that exists: cd FOLDER.');
  }
};

/** Access to real files, and by default to the process's own streams. Paths are relative to `cwd`. */
export const nodeIo = ({
  cwd = workingFolder(),
  out = output(process.stdout),
  err = output(process.stderr),
  ask = process.stdin.isTTY === true && process.stdout.isTTY === true ? askTerminal : undefined,
}: Partial<Pick<CommandIo, 'cwd' | 'out' | 'err' | 'ask'>> = {}): CommandIo => ({
  ...(ask === undefined ? {} : { ask }),
  cwd,
  env: process.env,
  out,
  err,
  readKind: (file) => readKind(path.resolve(cwd, file)),
  isEndless: (file) => isEndless(path.resolve(cwd, file)),
  realPath: (file) => realpath(path.resolve(cwd, file)),
  readChunks: (file) => (file === '-' ? process.stdin : readChunks(path.resolve(cwd, file))),
  readFile: async (file) => utf8Text(await readWhole(path.resolve(cwd, file))),
  list: async (folder) => (await readdir(path.resolve(cwd, folder))).sort(),
  writeFiles: (files) => writeFiles([...files].map(([file, text]) => [path.resolve(cwd, file), text])),
});
