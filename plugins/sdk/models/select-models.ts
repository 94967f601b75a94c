import { gatewayError } from '../../../schema/errors/errors.ts';
import { savedSlug } from '../../../schema/text/slug-model.ts';
import type { ListedModel } from '../dialect/client-route.ts';

const fail = (name: string, reason: string): never => {
  throw gatewayError('invalid-request', { dialect: 'chat', reason: `${name} ${reason}.` });
};

/** Returns a number in a query, or undefined if it is absent. */
const readCount = (query: URLSearchParams, name: string, min: number): number | undefined => {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  return count < min ? fail(name, `must be a whole number of at least ${min}`) : count;
};

/** Returns a query parameter that must be one of some words, or undefined if it is absent. */
const readWord = (query: URLSearchParams, name: string, words: readonly string[]): string | undefined => {
  const text = query.get(name) ?? '';
  if (text !== '' && !words.includes(text)) fail(name, `must be ${words.map((word) => `"${word}"`).join(' or ')}`);
  return text === '' ? undefined : text;
};

/** Compares by characters, for the same order everywhere. */
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const isOf = (wanted: string, { id, provider }: ListedModel): boolean =>
  savedSlug(wanted) === undefined ? provider === wanted : id.startsWith(`${wanted}/`);

/**
 * Returns the models that the query of a list request selects: those of a provider (`provider` or `ai_service`: an id, or `@` and
 * a slug), sorted by name or by provider, and a part of them. Without a query, all models are listed in their original order.
 * Throws the `GatewayError` `invalid-request`.
 */
export const selectModels = (models: readonly ListedModel[], path: string): readonly ListedModel[] => {
  const at = path.indexOf('?');
  if (at === -1) return models;
  const query = new URLSearchParams(path.slice(at + 1));
  const wanted = ['provider', 'ai_service'].flatMap((name) => query.get(name) || []);
  const sort = readWord(query, 'sort', ['name', 'provider', 'ai_service']);
  const order = readWord(query, 'order', ['asc', 'desc']);
  const offset = readCount(query, 'offset', 0) ?? 0;
  const limit = readCount(query, 'limit', 1);
  const found = models.filter((model) => wanted.every((each) => isOf(each, model)));
  const byName = (a: ListedModel, b: ListedModel): number => compare(a.id, b.id);
  const byProvider = (a: ListedModel, b: ListedModel): number => compare(a.provider, b.provider) || byName(a, b);
  const inOrder = sort === undefined || sort === 'name' ? byName : byProvider;
  const isSorted = sort !== undefined || order !== undefined;
  const sorted = isSorted ? found.toSorted((a, b) => (order === 'desc' ? inOrder(b, a) : inOrder(a, b))) : found;
  return sorted.slice(offset, limit === undefined ? undefined : offset + limit);
};
