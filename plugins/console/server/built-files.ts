import { hash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A file of the built console. */
export interface BuiltFile {
  readonly type: string;
  /** Whether its name contains a hash of its content. */
  readonly isHashed: boolean;
  readonly etag: string;
  readonly bytes: Uint8Array;
  /** The bytes as compressed at build time, by coding. */
  readonly compressed: ReadonlyMap<Coding, Uint8Array>;
}

/** The content codings (RFC 9110 §8.4) of built files, best first, and the suffixes of their names. */
export const codings = { br: '.br', gzip: '.gz' } as const;
export type Coding = keyof typeof codings;

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The folder of hashed files. */
const assets = 'assets/';

const readBuilt = async (folder: string, names: ReadonlySet<string>, name: string): Promise<BuiltFile> => {
  const isPlain = names.has(name);
  const read = await readFile(path.join(folder, isPlain ? name : name + codings.gzip));
  const bytes = isPlain ? read : gunzipSync(read);
  const compressed = new Map<Coding, Uint8Array>();
  for (const [coding, ending] of Object.entries(codings) as [Coding, string][])
    if (names.has(name + ending)) compressed.set(coding, await readFile(path.join(folder, name + ending)));
  return {
    type: types[path.extname(name)] ?? 'application/octet-stream',
    isHashed: name.startsWith(assets),
    etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`,
    bytes,
    compressed,
  };
};

/** Finds a file of the console by its name, such as `index.html`. Resolves to undefined if there is none. */
export type FindFile = (name: string) => Promise<BuiltFile | undefined>;

/** Lists the files of a folder that have a known type. Each is read on its first request: the first page needs few of them. */
const listFolder = async (folder: string): Promise<FindFile> => {
  const entries = await readdir(folder, { recursive: true });
  const names = new Set(entries.map((name) => name.split(path.sep).join('/')));
  const read = new Map<string, Promise<BuiltFile>>();
  return async (name) => {
    if (!(path.extname(name) in types) || !(names.has(name) || names.has(name + codings.gzip))) return undefined;
    const known = read.get(name);
    if (known !== undefined) return known;
    const reading = readBuilt(folder, names, name);
    read.set(name, reading);
    // A file that cannot be read now is read on its next request.
    reading.catch(() => read.delete(name));
    return reading;
  };
};

/** Finds the files of the built console. Resolves to undefined if it is not built. */
export type FindBuilt = () => Promise<FindFile | undefined>;

/** Keeps the files of a folder in memory until it is built again. Only these files can be requested, however a path is spelt. */
export const builtFiles = (folder: string): FindBuilt => {
  let builtAt: number | undefined;
  let files: Promise<FindFile> | undefined;
  return async () => {
    const index = await stat(path.join(folder, 'index.html')).catch(() => undefined);
    if (index === undefined) return undefined;
    if (files === undefined || index.mtimeMs !== builtAt) {
      builtAt = index.mtimeMs;
      const listed = listFolder(folder);
      files = listed;
      // A folder that cannot be listed now is listed on the next request.
      listed.catch(() => {
        files = undefined;
      });
    }
    return files;
  };
};
