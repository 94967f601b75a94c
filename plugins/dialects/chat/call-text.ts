import type { Json } from '../../../schema/json.ts';
import { objectOf, textOf } from '../../../schema/loose.ts';

/** The arguments of a call as a text: some providers give the object itself. */
export const callText = (wire: Json | undefined): string =>
  textOf(wire) ?? (objectOf(wire) === undefined ? '' : JSON.stringify(wire));
