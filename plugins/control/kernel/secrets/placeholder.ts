import type { Json } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';

const start = 'gw-sealed:';

/** The text that stands for the secret at a place of a value: `gw-sealed:/targets/0/api_key`. */
export const placeholderAt = (pointer: JsonPointer): string => `${start}${pointer}`;

/** Whether a value is such a text, of whatever place. */
export const isPlaceholder = (value: Json): boolean => typeof value === 'string' && value.startsWith(start);
