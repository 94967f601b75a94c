import type { JsonObject } from '../../../schema/json/json.ts';
import type { Principal } from './exchange.ts';

/** The label by which logs, usage and limits know the copies that mirrors send: the place of the mirror's node in its config. */
export const mirrorLabel = '_mirror';

/** Whether a caller's identity says anything about the metadata of its requests. */
export const isIdentified = ({ organisation, userId, defaults }: Principal): boolean =>
  organisation !== undefined || userId !== undefined || defaults?.metadata !== undefined;

/**
 * The metadata of a request: what its caller sent, and over it the labels of the caller's key, name by name. `_user` is the
 * user that the key was made for, or else what these say, or else the `user` of the body. `_organisation` is the key's if
 * neither says it. `_mirror` is nobody's to say.
 */
export const identifiedMetadata = (
  { organisation, userId, defaults }: Principal,
  sent: JsonObject | undefined,
  bodyUser: () => string | undefined,
): JsonObject => {
  const metadata = { ...sent, ...defaults?.metadata };
  if (organisation !== undefined && metadata._organisation === undefined) metadata._organisation = organisation;
  const user = userId ?? metadata._user ?? bodyUser();
  if (user !== undefined) metadata._user = user;
  // Only the gateway says what is a copy.
  if (metadata[mirrorLabel] !== undefined) delete metadata[mirrorLabel];
  return metadata;
};
