import { texts } from '../texts/shell.ts';
import { maxSearch, offerRecords } from './name-choices.ts';
import { readWholeList } from './pages.ts';

/** A key that can be chosen. */
export interface KeyChoice {
  readonly id: string;
  readonly name: string;
  /** The masked key. */
  readonly key: string;
  readonly status: string;
}

export interface KeyChoices {
  /** The texts by which the keys are chosen, the newest first: see `keyTexts`. */
  readonly texts: readonly string[];
  /** Whether there are further keys. */
  readonly isMore: boolean;
}

/** Returns the texts by which keys are chosen: the name of each, and its masked text if another one has the same name. */
const keyTexts = (keys: readonly KeyChoice[]): readonly string[] => {
  const byName = Map.groupBy(keys, ({ name }) => name.trim());
  return keys.map(({ name, key }) => ((byName.get(name.trim())?.length ?? 0) > 1 ? `${name} (${key})` : name));
};

const isUsable = ({ status }: KeyChoice): boolean => status !== 'revoked';

/** Returns the newest keys with a text in their names. Revoked keys cannot be chosen. */
export const offerKeys = async (search: string, signal: AbortSignal): Promise<KeyChoices> => {
  const { items, isMore } = await offerRecords<KeyChoice>('/api-keys', search, signal);
  return { texts: keyTexts(items.filter(isUsable)), isMore };
};

/** A key that a text names, or why there is none, as the error of a field. */
export type FoundKey = { readonly id: string } | { readonly error: string };

export interface FindKeyOptions {
  /** Whether revoked keys are found too. They cannot be used, but the log has their requests. */
  readonly withRevoked?: boolean;
}

/** The most keys of the same name that an error lists. */
const maxNamesakes = 5;

/** Finds the key that a text names: the text of `keyTexts`, or a name that no other key has. */
export const findKey = async (text: string, { withRevoked = false }: FindKeyOptions = {}): Promise<FoundKey> => {
  const readNamed = async (name: string): Promise<readonly KeyChoice[]> => {
    const query = { search: name.trim().slice(0, maxSearch) };
    const { data } = await readWholeList<KeyChoice>('/api-keys', { query, bound: Number.POSITIVE_INFINITY });
    return data.filter((key) => key.name.trim() === name.trim() && (withRevoked || isUsable(key)));
  };
  const named = await readNamed(text);
  const [, name = '', mask] = /^(.+) \((\S+)\)$/s.exec(text.trim()) ?? [];
  const found =
    named.length > 0 || mask === undefined ? named : (await readNamed(name)).filter(({ key }) => key === mask);
  const [first, ...others] = found;
  if (first === undefined) return { error: texts.unknownKey };
  if (others.length === 0) return { id: first.id };
  return { error: texts.ambiguousKey(keyTexts(found).slice(0, maxNamesakes)) };
};
