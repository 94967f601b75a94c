import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../schema/text/error-code.ts';

/** Returns a string that changes when the file behind a path is replaced, is written to, or can no longer be read. */
export const fileFingerprint = async (path: string): Promise<string> => {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch (error) {
    return errorCode(error) ?? '';
  }
};

/** Does the same for a folder: its identity, and the files in it. Hidden files do not count. */
export const folderFingerprint = async (folder: string): Promise<string> => {
  try {
    const { dev, ino } = await stat(folder, { bigint: true });
    const lines = [`${dev}:${ino}`];
    const names = await readdir(folder);
    // One after another, because a large folder must not fill the thread pool that DNS look-ups of requests need.
    for (const name of names.sort())
      if (!name.startsWith('.')) lines.push(`${name} ${await fileFingerprint(join(folder, name))}`);
    return lines.join('\n');
  } catch (error) {
    return errorCode(error) ?? '';
  }
};
