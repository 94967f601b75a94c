import path from 'node:path';
import type { CommandIo } from '../command-line/services.ts';
import { isOpen, namesIn } from './names-in-folder.ts';

/**
 * Lists the files with wanted names in a folder and its sub-folders. Visits each folder once, whatever the links. Skips hidden
 * folders and `node_modules`.
 */
export const filesBelow = async (
  folder: string,
  io: CommandIo,
  isWanted: (name: string) => boolean,
  seen: Set<string> = new Set(),
): Promise<readonly string[]> => {
  const real = await io.realPath(folder);
  if (seen.has(real)) return [];
  seen.add(real);
  const found: string[] = [];
  for (const name of (await namesIn(folder, io)).filter(isOpen)) {
    const file = path.join(folder, name);
    if ((await io.readKind(file)) === 'folder') found.push(...(await filesBelow(file, io, isWanted, seen)));
    else if (isWanted(name)) found.push(file);
  }
  return found;
};
