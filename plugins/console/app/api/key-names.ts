import { useLoaded } from './load.ts';
import { listAll } from './pages.ts';
import { may } from './session.ts';

interface NamedKey {
  readonly id: string;
  readonly name: string;
}

/** The names of keys by their ids. */
type KeyNames = ReadonlyMap<string, string>;

const none: KeyNames = new Map();

/** Returns the names of at most a thousand keys, for display; none while they load, or if the session may not list keys. */
export const useKeyNames = (): KeyNames => {
  const { state } = useLoaded(async (signal) =>
    may('keys.list')
      ? new Map((await listAll<NamedKey>('/api-keys', { signal })).map(({ id, name }) => [id, name]))
      : none,
  );
  return state.value.status === 'ready' ? state.value.value : none;
};
