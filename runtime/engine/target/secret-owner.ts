import type { TextOrigin } from '../../../schema/config/trust.ts';
import { isSavedRef, type SecretValue } from '../../../schema/plan/plan.ts';

/** Finds the owner of a secret: a literal belongs to its text, and what the store has sealed to whoever saved it. */
export const secretOwner = (secret: SecretValue): TextOrigin => {
  if (secret.kind === 'slot') return secret.origin;
  return isSavedRef(secret.ref) ? 'saved' : 'file';
};
