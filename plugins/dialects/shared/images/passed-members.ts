import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ImageRequest } from '../../../../schema/operations/image.ts';

/** Returns the members of the client's body that have the same name in the format. */
export const passedMembers = ({ extensions }: ImageRequest, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(extensions).filter(([name]) => names.includes(name)));
