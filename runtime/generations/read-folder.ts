import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFile } from './plan-source.ts';

const nameOf = (file: string, ending: string): string => file.slice(0, -ending.length);

/** The files of a folder that have one of the endings, sorted by name; hidden files and the folders below are passed over. */
export const readFolder = async (folder: string, endings: readonly string[]): Promise<readonly SourceFile[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.flatMap((entry) => {
    const ending = endings.find((candidate) => entry.name.endsWith(candidate));
    return ending === undefined || entry.isDirectory() || entry.name.startsWith('.')
      ? []
      : [{ name: nameOf(entry.name, ending), base: entry.name }];
  });
  files.sort((a, b) => (a.base < b.base ? -1 : 1));
  return Promise.all(
    files.map(async ({ name, base }) => {
      const file = join(folder, base);
      return { name, file, text: await readFile(file, 'utf8') };
    }),
  );
};
