import { basename } from 'node:path';
import { hashText } from '../../../schema/json/canonical.ts';
import { fileFingerprint } from '../../watched-files/fingerprint.ts';
import type { LoadedPart } from '../services/loaded-part.ts';
import type { ServeIo } from '../services/serve-services.ts';

type ReadFile = ServeIo['readFile'];

/** Remembers a file's current text. The returned function reports whether it has changed. */
const rememberFile = async (file: string, readFile: ReadFile): Promise<() => Promise<boolean>> => {
  const hash = async (): Promise<string> => hashText((await readFile(file)) ?? '');
  let seen = await fileFingerprint(file);
  const loaded = await hash();
  let changed = false;
  return async () => {
    const now = await fileFingerprint(file);
    if (now === seen) return changed;
    try {
      changed = (await hash()) !== loaded;
      seen = now;
    } catch {
      // The file cannot be read at the moment, so it is unknown whether it changed. The next check tries again.
    }
    return changed;
  };
};

const rememberPart = async ({ what, files }: LoadedPart, readFile: ReadFile): Promise<() => Promise<string[]>> => {
  const known = await Promise.all(
    files.map(async (file) => ({ file, hasChanged: await rememberFile(file, readFile) })),
  );
  return async () => {
    for (const { file, hasChanged } of known)
      if (await hasChanged())
        return [
          `${what} has changed on disk (${basename(file)}) since the gateway started. Restart the gateway to use it.`,
        ];
    return [];
  };
};

/** Remembers the loaded files. The returned function lists the parts that have changed since, one sentence each. */
export const rememberLoaded = async (
  parts: readonly LoadedPart[],
  readFile: ReadFile,
): Promise<() => Promise<readonly string[]>> => {
  const known = await Promise.all(parts.map((part) => rememberPart(part, readFile)));
  return async () => (await Promise.all(known.map((reasons) => reasons()))).flat();
};
