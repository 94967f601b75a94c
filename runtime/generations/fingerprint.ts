import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';

/** A text that is another as soon as the file behind a path is another, has been written to, or cannot be looked at. */
export const fileFingerprint = async (path: string): Promise<string> => {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch (error) {
    return errorCode(error);
  }
};

/** The same of a folder: which one it is, and the files in it. Hidden files do not count. */
export const folderFingerprint = async (folder: string): Promise<string> => {
  try {
    const { dev, ino } = await stat(folder, { bigint: true });
    const lines = [`${dev}:${ino}`];
    const names = await readdir(folder);
    // One after the other: a large folder must not fill the queue that name look-ups of requests wait in.
    for (const name of names.sort())
      if (!name.startsWith('.')) lines.push(`${name} ${await fileFingerprint(join(folder, name))}`);
    return lines.join('\n');
  } catch (error) {
    return errorCode(error);
  }
};
