import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';

/**
 * Returns the query of the page that follows these records of a list, or of its first page. Pages by number would repeat or miss a
 * record if another user creates or deletes one meanwhile.
 */
export const pageQuery = (pageSize: number, read: readonly JsonObject[]): Readonly<Record<string, string>> => {
  const last = findText(read.at(-1)?.id);
  return { page_size: String(pageSize), ...(last !== undefined && { after: last }) };
};
