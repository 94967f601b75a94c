import { createPrivateKey, type KeyObject } from 'node:crypto';

/** A private key in PEM; `what` names it in the `Error` that is thrown if it is none. */
export const readPrivateKey = (pem: string, what: string, passphrase?: string): KeyObject => {
  try {
    return createPrivateKey({ key: pem, format: 'pem', ...(passphrase === undefined ? {} : { passphrase }) });
  } catch {
    // The cause may quote the key.
    throw new Error(`${what} is not a key.`);
  }
};
