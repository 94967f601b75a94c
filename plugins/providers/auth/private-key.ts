import type { KeyObject } from 'node:crypto';
import { readPrivateKey as readPem } from '../../sdk/http/read-pem.ts';

/** Reads a private key in PEM. Throws an `Error`, in which `what` names the key, if it is not one. */
export const readPrivateKey = (pem: string, what: string, passphrase?: string): KeyObject => {
  const key = readPem(pem, passphrase);
  if (key === undefined) throw new Error(`${what} is not a key.`);
  return key;
};
