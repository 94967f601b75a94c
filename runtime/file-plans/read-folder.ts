import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../schema/text/error-code.ts';
import { utf8Text } from '../../schema/text/utf8-text.ts';
import { readRegularFile } from '../watched-files/read-regular-file.ts';
import { unreadableReason } from '../watched-files/unreadable-reason.ts';
import type { SourceFile, UnreadableFile } from './plan-source.ts';

/** Longer than any config that compiles. */
const maxFileBytes = 64 * 1024 * 1024;

const toName = (file: string, ending: string): string => file.slice(0, -ending.length);

/** Whether it was removed after the folder was listed. A broken link still exists. */
const isGone = async (file: string, error: unknown): Promise<boolean> =>
  errorCode(error) === 'ENOENT' &&
  (await lstat(file).then(
    () => false,
    () => true,
  ));

const readOne = async (name: string, file: string): Promise<readonly (SourceFile | UnreadableFile)[]> => {
  try {
    return [{ name, file, text: utf8Text(await readRegularFile(file, maxFileBytes)) }];
  } catch (error) {
    return (await isGone(file, error)) ? [] : [{ name, file, unreadable: unreadableReason(error) }];
  }
};

/**
 * Reads everything in a folder that has one of the extensions, such as files and links, sorted by name, without hidden files and
 * subfolders. Rejects if the folder cannot be listed.
 */
export const readFolder = async (
  folder: string,
  endings: readonly string[],
): Promise<readonly (SourceFile | UnreadableFile)[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.flatMap((entry) => {
    const ending = endings.find((candidate) => entry.name.endsWith(candidate));
    const isCandidate = !entry.isDirectory() && !entry.name.startsWith('.');
    return ending === undefined || !isCandidate ? [] : [{ name: toName(entry.name, ending), base: entry.name }];
  });
  files.sort((a, b) => (a.base < b.base ? -1 : 1));
  const sources = await Promise.all(files.map(({ name, base }) => readOne(name, join(folder, base))));
  return sources.flat();
};
