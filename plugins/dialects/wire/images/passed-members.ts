import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ImageRequest } from '../../../../schema/operations/image.ts';

/** The members of the client's body that a format has by the same name. */
export const passedMembers = ({ extensions }: ImageRequest, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(extensions).filter(([name]) => names.includes(name)));
