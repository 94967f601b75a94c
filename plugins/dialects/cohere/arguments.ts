import type { Json } from '../../../schema/json.ts';
import { textOf } from '../wire/loose.ts';

const nothing = 'null';

/** Whether a call's arguments so far may still turn out to be none: models write none at all, or `null`. */
export const mayBeNone = (text: string): boolean => nothing.startsWith(text.trim());

/** The arguments of a call as JSON text; an empty object if there are none. */
export const argumentsText = (wire: Json | undefined): string => {
  const text = textOf(wire) ?? '';
  return text.trim() === '' || text.trim() === nothing ? '{}' : text;
};
