import { get } from './client.ts';
import { useLoaded } from './load.ts';
import { findIds, type KeyNames } from './name-keys.ts';
import type { List } from './pages.ts';
import { may } from './session.ts';

interface NamedKey {
  readonly id: string;
  readonly name: string;
}

const none: KeyNames = new Map();

/** The most ids in one request. */
const maxIds = 100;

const readNames = async (ids: readonly string[], signal: AbortSignal): Promise<KeyNames> => {
  const parts = Array.from({ length: Math.ceil(ids.length / maxIds) }, (_, at) =>
    ids.slice(at * maxIds, (at + 1) * maxIds),
  );
  const lists = await Promise.all(
    parts.map((part) =>
      get<List<NamedKey>>('/api-keys', { query: { ids: part.join(','), page_size: maxIds }, signal }),
    ),
  );
  return new Map(lists.flatMap(({ data }) => data).map(({ id, name }) => [id, name]));
};

/**
 * Returns the names of the keys whose ids are in some texts, for display. There are none while they load, or if the session may
 * not list keys.
 */
export const useKeyNames = (texts: readonly (string | null | undefined)[]): KeyNames => {
  const ids = findIds(texts);
  const { state } = useLoaded(
    async (signal) => (may('keys.list') && ids.length > 0 ? readNames(ids, signal) : none),
    [ids.join()],
  );
  return state.value.status === 'ready' ? state.value.value : none;
};
