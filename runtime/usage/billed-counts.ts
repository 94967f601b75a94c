import type { Operation } from '../../plugins/sdk/exchange/exchange.ts';
import type { Json, JsonObject } from '../../schema/json/json.ts';
import { findItems } from '../../schema/json/loose.ts';

/** More than any provider allows for one request. */
const max = 10_000;

/** A form contains numbers as text. */
const toCount = (value: Json | undefined): number => {
  const count = typeof value === 'string' ? Number(value) : value;
  return typeof count === 'number' && count >= 1 ? Math.min(Math.ceil(count), max) : 1;
};

/** https://docs.cohere.com/docs/how-does-cohere-pricing-work: a search has up to a hundred documents. */
const documentsOfSearch = 100;

/**
 * Returns what a request asks for that providers count besides tokens, by its name in usage records. Undefined for operations for
 * which nothing else is counted. A document has at least one page.
 */
export const billedCounts = (
  operation: Operation,
  params: () => JsonObject,
): Readonly<Record<string, number>> | undefined => {
  switch (operation) {
    case 'image':
      return { image: toCount(params().n) };
    case 'rerank':
      return { search: toCount((findItems(params().documents)?.length ?? 0) / documentsOfSearch) };
    case 'ocr':
      return { page: 1 };
    default:
      return undefined;
  }
};
