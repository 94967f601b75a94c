import type { TextOrigin } from '../../../schema/config/trust.ts';
import { isSavedRef, type SecretValue } from '../../../schema/plan/plan.ts';

/**
 * Returns the owner of a secret. A literal belongs to its config's owner; a value that the store sealed belongs to whoever saved
 * it.
 */
export const secretOwner = (secret: SecretValue): TextOrigin => {
  if (secret.kind === 'slot') return secret.origin;
  return isSavedRef(secret.ref) ? 'saved' : 'file';
};
