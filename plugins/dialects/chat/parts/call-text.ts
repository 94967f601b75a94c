import type { Json } from '../../../../schema/json/json.ts';
import { objectOf, textOf } from '../../../../schema/json/loose.ts';

/** The arguments of a call as a text: some providers give the object itself. */
export const callText = (wire: Json | undefined): string =>
  textOf(wire) ?? (objectOf(wire) === undefined ? '' : JSON.stringify(wire));
