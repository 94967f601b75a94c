/**
 * A secret cannot be sealed or opened, or a master key cannot be used. The message is a sentence: what is the case, and what
 * to do. It never has a secret, or a byte of a key, in it.
 */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

/** A value is wrapped by a master key that this process does not have. */
export class UnknownMasterError extends SecretError {}
