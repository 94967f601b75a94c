import type { JsonObject } from '../../../../schema/json/json.ts';
import { toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import { brokenOff } from './broken-off.ts';

/** Whether a chunk has the member by which official clients know an error. */
const hasError = ({ error }: JsonObject): boolean => error !== undefined && error !== null;

/** Whether a chunk is an error: by that member, by the list that IBM writes in its place, or because its answer broke off. */
export const isErrorChunk = (chunk: JsonObject): boolean =>
  hasError(chunk) ||
  brokenOff(chunk) !== undefined ||
  (chunk.choices === undefined && toObjects(chunk.errors).length > 0);

/** Whether official clients take an error for a part of the answer. */
export const hidesError = ({ event, data }: Frame): boolean => event !== 'error' && !hasError(parseObject(data) ?? {});
