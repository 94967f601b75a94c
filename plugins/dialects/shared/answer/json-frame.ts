import type { Json } from '../../../../schema/json/json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';

/** Returns one frame of a stream, with a JSON value as its data. */
export const jsonFrame = (data: Json, event?: string): Frame =>
  event === undefined ? { data: JSON.stringify(data) } : { event, data: JSON.stringify(data) };
