import type { Entry } from './entry.ts';

const block = 512;

const text = (bytes: Buffer): string => {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
};

const octal = (bytes: Buffer): number => Number.parseInt(text(bytes).trim() || '0', 8);

/** Returns `./usr/lib/` as `usr/lib`. */
const plainPath = (name: string): string => name.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');

const paxPath = (data: string, key: string): string | undefined => new RegExp(`\\d+ ${key}=([^\n]*)\n`).exec(data)?.[1];

/** Returns the names in a header. They apply unless an earlier header has longer ones. */
const ownNames = (header: Buffer): { readonly path: string; readonly target: string } => {
  // Only ustar has a prefix here: GNU stores other things in this place.
  const prefix = header.toString('latin1', 257, 263) === 'ustar\0' ? text(header.subarray(345, 500)) : '';
  const name = text(header.subarray(0, 100));
  return { path: prefix === '' ? name : `${prefix}/${name}`, target: text(header.subarray(157, 257)) };
};

interface LongNames {
  readonly path?: string | undefined;
  readonly target?: string | undefined;
}

/** Returns the names of an entry that are too long for its own header, as stored by GNU or pax. */
const longNames = (type: string, data: Buffer): LongNames | undefined => {
  if (type === 'L') return { path: text(data) };
  if (type === 'K') return { target: text(data) };
  if (type !== 'x') return undefined;
  return { path: paxPath(data.toString(), 'path'), target: paxPath(data.toString(), 'linkpath') };
};

/** Returns the entries of a tar, except devices. A hard link becomes the file that it names. */
export const readTar = (bytes: Buffer): readonly Entry[] => {
  const entries = new Map<string, Entry>();
  let long: LongNames = {};
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0; ) {
    const header = bytes.subarray(at, at + block);
    const size = octal(header.subarray(124, 136));
    const data = bytes.subarray(at + block, at + block + size);
    const type = text(header.subarray(156, 157)) || '0';
    at += block + Math.ceil(size / block) * block;
    const names = longNames(type, data);
    if (names !== undefined) {
      long = { ...long, ...names };
      continue;
    }
    const own = ownNames(header);
    const path = plainPath(long.path ?? own.path);
    const target = long.target ?? own.target;
    long = {};
    const source = type === '1' ? entries.get(plainPath(target)) : undefined;
    if (path === '' || path === '.') continue;
    if (type === '5') entries.set(path, { kind: 'folder', path });
    if (type === '2') entries.set(path, { kind: 'link', path, target });
    if (source !== undefined) entries.set(path, { ...source, path });
    if (type === '0')
      entries.set(path, { kind: 'file', path, data, isProgram: (octal(header.subarray(100, 108)) & 0o100) !== 0 });
  }
  return [...entries.values()];
};
