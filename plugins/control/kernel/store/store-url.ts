import path from 'node:path';
import { StoreError } from './store.ts';

/** Where a store is. `where` can be shown to people: it has no user and no password. */
export type StoreUrl =
  | { readonly kind: 'sqlite'; readonly file: string; readonly where: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly where: string };

const forms = 'Write a path, sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE.';
const encoding = 'Characters such as @, /, ? and # in its user or password are written %40, %2F, %3F and %23.';

/** Two characters at least, since C: is a disk. */
const schemePattern = /^([a-z][a-z0-9+.-]+):/i;

const readFile = (written: string): StoreUrl => {
  if (written.startsWith('//'))
    throw new StoreError(`The URL of a store in a file is sqlite:PATH, without //. ${forms}`);
  if (written === '' || written === ':memory:') throw new StoreError(`The store needs a file of its own. ${forms}`);
  const file = path.resolve(written);
  return { kind: 'sqlite', file, where: file };
};

const readPostgres = (written: string): StoreUrl => {
  const url = URL.parse(written);
  if (url === null) throw new StoreError(`The URL of the store's PostgreSQL cannot be read. ${encoding}`);
  const { host, pathname, search, hash } = url;
  if (hash !== '' || `${pathname}${search}`.includes('@'))
    throw new StoreError(`The URL of the store's PostgreSQL is ambiguous. ${encoding}`);
  return { kind: 'postgres', url: written, where: `postgres://${host}${pathname}` };
};

/**
 * Reads where a store is: a path, `sqlite:path`, or `postgres://…`.
 *
 * @throws StoreError
 */
export const readStoreUrl = (written: string): StoreUrl => {
  const scheme = schemePattern.exec(written)?.[1]?.toLowerCase();
  if (scheme === undefined) return readFile(written);
  if (scheme === 'sqlite') return readFile(written.slice('sqlite:'.length));
  if (scheme === 'postgres' || scheme === 'postgresql') return readPostgres(written);
  throw new StoreError(`The store cannot be kept in ${scheme}. ${forms}`);
};

/** Where a store has what belongs to it: beside a file of SQLite, or as `gateway<ending>` in the working folder. */
export const besideStore = (at: StoreUrl, ending: string, cwd: string = process.cwd()): string =>
  at.kind === 'sqlite' ? `${at.file}${ending}` : path.resolve(cwd, `gateway${ending}`);
