import type { SecretOwner } from '../../../schema/config/trust.ts';
import { isSavedRef, type SecretValue } from '../../../schema/plan/plan.ts';

/**
 * Returns the owner of a secret: for a literal, the origin of its text; for a value that the store sealed, whoever saved
 * it.
 */
export const secretOwner = (secret: SecretValue): SecretOwner => {
  if (secret.kind === 'slot') return secret.origin;
  return isSavedRef(secret.ref) ? 'saved' : 'file';
};
