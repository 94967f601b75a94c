import { get } from './client.ts';
import type { List } from './pages.ts';

/** The longest text that the API searches names for. */
export const maxSearch = 256;

/** The most names that are offered. */
const maxOffered = 100;

/** The newest records of a list that a search finds. */
export interface Offered<Item> {
  readonly items: readonly Item[];
  /** Whether there are further ones. */
  readonly isMore: boolean;
}

/** Returns the newest records of a list with a text in their names, for fields that offer a choice. */
export const offerRecords = async <Item>(path: string, search: string, signal: AbortSignal): Promise<Offered<Item>> => {
  const query = { search: search.slice(0, maxSearch), page_size: maxOffered };
  const { total, data }: List<Item> = await get(path, { query, signal });
  return { items: data, isMore: total > data.length };
};

/** The names that a field offers. */
export interface NameChoices<Option> {
  readonly options: readonly Option[];
  /** Finds the names that contain a text; absent if `options` has all names. */
  readonly search?: ((text: string, signal: AbortSignal) => Promise<readonly Option[]>) | undefined;
}

/** Returns the names of the newest records of a list, and how to find the others. */
export const loadNames = async <Item, Option>(
  path: string,
  toOption: (item: Item) => Option,
  signal: AbortSignal,
): Promise<NameChoices<Option>> => {
  const { items, isMore } = await offerRecords<Item>(path, '', signal);
  return {
    options: items.map(toOption),
    search: isMore
      ? async (text, searching) => (await offerRecords<Item>(path, text, searching)).items.map(toOption)
      : undefined,
  };
};
