import path from 'node:path';
import { type Entry, imageUser } from './entry.ts';

const block = 512;

const types = { file: '0', link: '2', folder: '5', pax: 'x' } as const;

interface Header {
  readonly name: string;
  readonly type: keyof typeof types;
  readonly mode: number;
  readonly owner: number;
  readonly size: number;
  readonly target?: string;
}

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

/** Splits a name as ustar does. Returns undefined if the name is too long for that. */
const divideName = (name: string): readonly [name: string, prefix: string] | undefined => {
  if (Buffer.byteLength(name) <= 100) return [name, ''];
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)];
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(rest) <= 100 && rest !== '') return [rest, prefix];
  }
  return undefined;
};

const headerBytes = ({ name, type, mode, owner, size, target = '' }: Header, seconds: number): Buffer => {
  const [short, prefix] = divideName(name) ?? [Buffer.from(name).subarray(0, 100).toString('latin1'), ''];
  const bytes = Buffer.alloc(block);
  bytes.write(short, 0, 100);
  bytes.write(octal(mode, 8), 100);
  bytes.write(octal(owner, 8), 108);
  bytes.write(octal(owner, 8), 116);
  bytes.write(octal(size, 12), 124);
  bytes.write(octal(seconds, 12), 136);
  bytes.write(' '.repeat(8), 148);
  bytes.write(types[type], 156);
  bytes.write(target, 157, 100);
  bytes.write('ustar\u000000', 257);
  bytes.write(prefix, 345, 155);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
};

const padded = (data: Uint8Array): readonly Uint8Array[] =>
  data.length % block === 0 ? [data] : [data, Buffer.alloc(block - (data.length % block))];

/** Returns a pax record (`12 path=a/b\n`), whose length includes its own digits. */
const paxRecord = (key: string, value: string): string => {
  const rest = ` ${key}=${value}\n`;
  const size = Buffer.byteLength(rest);
  const digits = String(size + String(size).length).length;
  return `${size + digits}${rest}`;
};

/** Returns the header of an entry, preceded by a pax header if its names are too long for ustar. */
const headers = (header: Header, seconds: number): readonly Uint8Array[] => {
  const records = [
    divideName(header.name) === undefined ? paxRecord('path', header.name) : '',
    Buffer.byteLength(header.target ?? '') > 100 ? paxRecord('linkpath', header.target ?? '') : '',
  ].join('');
  if (records === '') return [headerBytes(header, seconds)];
  const data = Buffer.from(records);
  const pax: Header = { name: 'pax', type: 'pax', mode: 0o644, owner: 0, size: data.length };
  return [headerBytes(pax, seconds), ...padded(data), headerBytes(header, seconds)];
};

const entryBytes = (entry: Entry, seconds: number): readonly Uint8Array[] => {
  const { kind: type, path: name } = entry;
  if (entry.kind === 'link')
    return headers({ name, type, mode: 0o777, owner: 0, size: 0, target: entry.target }, seconds);
  if (entry.kind === 'folder') {
    const own = entry.isOwned === true ? { mode: 0o700, owner: imageUser } : { mode: 0o755, owner: 0 };
    return headers({ name: `${name}/`, type, size: 0, ...own }, seconds);
  }
  const mode = entry.isProgram === true ? 0o755 : 0o644;
  return [...headers({ name, type, mode, owner: 0, size: entry.data.length }, seconds), ...padded(entry.data)];
};

/** Returns the folders above a path, from the top down. */
const parents = (name: string): readonly string[] => {
  const above = path.posix.dirname(name);
  return above === '.' ? [] : [...parents(above), above];
};

const inOrder = (left: Entry, right: Entry): number => {
  if (left.path === right.path) return 0;
  return left.path < right.path ? -1 : 1;
};

/**
 * Returns a tar with these entries and the folders above them. Equal entries produce equal bytes: they are sorted, and their
 * modes and owners depend only on the entry.
 *
 * @param seconds the time of each entry
 */
export const writeTar = (entries: readonly Entry[], seconds: number): Buffer => {
  const all = new Map<string, Entry>();
  for (const entry of entries)
    for (const name of parents(entry.path)) if (!all.has(name)) all.set(name, { kind: 'folder', path: name });
  for (const entry of entries) all.set(entry.path, entry);
  const parts = [...all.values()].sort(inOrder).flatMap((entry) => entryBytes(entry, seconds));
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
};
