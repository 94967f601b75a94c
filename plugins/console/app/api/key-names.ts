import { useLoaded } from './load.ts';
import { listAll } from './pages.ts';
import { may } from './session.ts';

interface NamedKey {
  readonly id: string;
  readonly name: string;
}

const none: ReadonlyMap<string, string> = new Map();

/** The names of keys by their ids, of at most a thousand; none while they load, or if the session may not list them. */
export const useKeyNames = (): ReadonlyMap<string, string> => {
  const { state } = useLoaded(async (signal) =>
    may('keys.list')
      ? new Map((await listAll<NamedKey>('/api-keys', { signal })).map(({ id, name }) => [id, name]))
      : none,
  );
  return state.value.status === 'ready' ? state.value.value : none;
};
