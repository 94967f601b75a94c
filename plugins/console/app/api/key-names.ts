import { type Loader, useLoaded } from './load.ts';
import { listAll } from './pages.ts';
import { may } from './session.ts';

interface NamedKey {
  readonly id: string;
  readonly name: string;
}

/** The names of keys by their ids. */
export type KeyNames = ReadonlyMap<string, string>;

const none: KeyNames = new Map();

/** Loads the names of at most a thousand keys, or none if the session may not list keys. */
export const useKeyNameLoader = (): Loader<KeyNames> =>
  useLoaded(async (signal) =>
    may('keys.list')
      ? new Map((await listAll<NamedKey>('/api-keys', { signal })).map(({ id, name }) => [id, name]))
      : none,
  );

/** Returns the loaded names; none while they load. */
export const loadedNames = ({ state: { value: now } }: Loader<KeyNames>): KeyNames =>
  now.status === 'ready' ? now.value : none;

/** Returns the names of keys for display; none while they load. */
export const useKeyNames = (): KeyNames => loadedNames(useKeyNameLoader());
