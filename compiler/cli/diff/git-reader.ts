import path from 'node:path';
import { NotUtf8Error, utf8Text } from '../../../schema/text/utf8-text.ts';
import type { CommandIo, GitResult, RunGit } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';

const lineOf = (bytes: Buffer): string => bytes.toString('utf8').trimEnd();

const firstLine = (text: string): string =>
  text
    .trim()
    .split('\n')[0]
    ?.replace(/^fatal: /, '') ?? '';

const isRevision = (text: string): boolean => text !== '' && !text.startsWith('-') && !/[\0-\x20\x7f]/.test(text);

/** A revision of the repository that contains a folder. */
export interface Revision {
  /** The name that was requested: `main`, `HEAD~2`. */
  readonly name: string;
  readonly commit: string;
  /** The path from the root of the repository to the folder, with `/` at its end; empty for the root itself. */
  readonly prefix: string;
}

/** Finds a revision. Rejects with a `UsageError` if there is no repository, or if it has no revision with that name. */
export const findRevision = async (runGit: RunGit, name: string, cwd: string): Promise<Revision> => {
  if (!isRevision(name))
    throw new UsageError(`"${name}" cannot be a revision of git.`, 'Name a branch, a tag or a commit, such as main.');
  const place = await runGit(['rev-parse', '--show-prefix'], cwd);
  if (place.code !== 0)
    throw new UsageError(
      `The folder ${cwd} is not in a git repository that can be read: ${firstLine(place.err)}.`,
      'Run gw there, or name files.',
    );
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const found = await runGit(args, cwd);
  if (found.code !== 0)
    throw new UsageError(
      `The repository has no revision "${name}".`,
      'See git branch --all and git tag. A shallow clone has few commits: git fetch brings the others.',
    );
  return { name, commit: lineOf(found.out), prefix: lineOf(place.out) };
};

/** Reads files as they were at a revision. Writes nothing. */
export const revisionIo = (io: CommandIo, runGit: RunGit, { name, commit, prefix }: Revision): CommandIo => {
  /** Returns undefined for a file outside the repository. */
  const toGitPath = (file: string): string | undefined => {
    const relative = path.relative(io.cwd, path.resolve(io.cwd, file)).split(path.sep).join('/');
    const joined = path.posix.normalize(`${prefix}${relative}`);
    if (joined === '..' || joined.startsWith('../')) return undefined;
    return joined === '.' || joined === './' ? '' : joined.replace(/\/$/, '');
  };
  const ask = async (args: readonly string[], file: string): Promise<GitResult | undefined> => {
    const gitPath = toGitPath(file);
    return gitPath === undefined ? undefined : runGit([...args, `${commit}:${gitPath}`], io.cwd);
  };
  const read = async (args: readonly string[], file: string): Promise<Buffer> => {
    const result = await ask(args, file);
    if (result?.code !== 0)
      throw new UsageError(
        `The file "${file}" of ${name} cannot be read: ${firstLine(result?.err ?? 'it is outside of the repository')}.`,
        'Check the path and the revision.',
      );
    return result.out;
  };
  return {
    ...io,
    async readKind(file) {
      const result = await ask(['cat-file', '-t'], file);
      if (result?.code !== 0) return undefined;
      const type = lineOf(result.out);
      return type === 'tree' ? 'folder' : type === 'blob' ? 'file' : undefined;
    },
    isEndless: async () => false,
    async readFile(file) {
      const bytes = await read(['cat-file', 'blob'], file);
      try {
        return utf8Text(bytes);
      } catch (error) {
        if (!(error instanceof NotUtf8Error)) throw error;
        throw new UsageError(
          `The file "${file}" of ${name} cannot be read: line ${error.line} is not in UTF-8.`,
          'Save it as UTF-8.',
        );
      }
    },
    realPath: async (file) => toGitPath(file) ?? file,
    async list(folder) {
      const names = (await read(['ls-tree', '--full-tree', '-z', '--name-only'], folder)).toString('utf8');
      return names
        .split('\0')
        .filter((each) => each !== '')
        .sort();
    },
  };
};
