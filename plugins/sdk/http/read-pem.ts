import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { errorCode } from '../../../schema/text/error-code.ts';

const block = /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----[\s\S]*?-----END \1-----/g;

/** A whole block of PEM, of any label. */
const anyBlock = /-----BEGIN ([^-]+)-----[\s\S]*?-----END \1-----/g;

/** Whether a block is without its end, as in a file that is still being written. OpenSSL leaves such a one out of a list of authorities. */
const hasUnfinished = (pem: string): boolean => pem.replaceAll(anyBlock, '').includes('-----BEGIN');

/** Reads all certificates of a text of PEM; undefined if there is none, or one that cannot be read, or a block without its end. */
export const readCertificates = (pem: string): readonly [X509Certificate, ...X509Certificate[]] | undefined => {
  if (hasUnfinished(pem)) return undefined;
  try {
    const [first, ...others] = (pem.match(block) ?? []).map((each) => new X509Certificate(each));
    return first === undefined ? undefined : [first, ...others];
  } catch {
    return undefined;
  }
};

/** Returns whether the first private key of a text of PEM is encrypted, so that it needs a passphrase. */
export const needsPassphrase = (pem: string): boolean =>
  /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: *4, *ENCRYPTED/m.test(pem);

/** Reads a private key in PEM; undefined if there is none, or if it is encrypted and the passphrase is absent or another one. */
export const readPrivateKey = (pem: string, passphrase?: string): KeyObject | undefined => {
  try {
    return createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) });
  } catch {
    return undefined;
  }
};

/** Why OpenSSL refuses a certificate that belongs to its key, by the codes of its errors. */
const weaknesses: Readonly<Record<string, string>> = {
  ERR_SSL_EE_KEY_TOO_SMALL: 'its key is too short',
  ERR_SSL_CA_KEY_TOO_SMALL: 'the key of an authority in it is too short',
  ERR_SSL_CA_MD_TOO_WEAK: 'it is signed with an algorithm that can be forged, such as SHA-1',
};

/** Finds the weakness for which OpenSSL has refused a certificate, as the end of a sentence; undefined for all other errors. */
export const findWeakness = (error: unknown): string | undefined => weaknesses[errorCode(error) ?? ''];

/** The certificates that are not refused so, as a part of a sentence. */
export const strongEnough = 'one with an RSA key of at least 2048 bits or an EC key, signed with SHA-256';
