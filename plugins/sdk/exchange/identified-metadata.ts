import type { JsonObject } from '../../../schema/json/json.ts';
import type { Principal } from './exchange.ts';

/**
 * The label by which logs, usage and limits recognise the copies that mirrors send. Its value is the place of the mirror's node
 * in its config.
 */
export const mirrorLabel = '_mirror';

/** Whether a caller's identity contributes to the metadata of its requests. */
export const isIdentified = ({ organisation, userId, defaults }: Principal): boolean =>
  organisation !== undefined || userId !== undefined || defaults?.metadata !== undefined;

/**
 * Returns the metadata of a request: what the caller sent, overridden by the labels of its key, name by name. `_user` is the user
 * that the key was created for, otherwise the one in these labels, otherwise the `user` of the body. `_organisation` is the key's
 * if neither of the two sets it. `_mirror` cannot be set by anyone.
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
  // Only the gateway marks copies.
  if (metadata[mirrorLabel] !== undefined) delete metadata[mirrorLabel];
  return metadata;
};
