import type { KeyObject } from 'node:crypto';
import { readPrivateKey as readPem } from '../../sdk/http/read-pem.ts';

/** A private key in PEM; `what` names it in the `Error` that is thrown if it is none. */
export const readPrivateKey = (pem: string, what: string, passphrase?: string): KeyObject => {
  const key = readPem(pem, passphrase);
  if (key === undefined) throw new Error(`${what} is not a key.`);
  return key;
};
