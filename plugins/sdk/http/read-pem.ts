import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import { errorCode } from '../../../schema/text/error-code.ts';
import { errorText } from '../../../schema/text/error-text.ts';

const block = /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----[\s\S]*?-----END \1-----/g;

/** A complete PEM block with any label. */
const anyBlock = /-----BEGIN ([^-]+)-----[\s\S]*?-----END \1-----/g;

/** Whether a block has no end, as in a file that is still being written. OpenSSL skips such a block in a list of authorities. */
const hasUnfinished = (pem: string): boolean => pem.replaceAll(anyBlock, '').includes('-----BEGIN');

/** Reads all certificates in a PEM text. Returns undefined if there is none, if one cannot be read, or if a block has no end. */
export const readCertificates = (pem: string): readonly [X509Certificate, ...X509Certificate[]] | undefined => {
  if (hasUnfinished(pem)) return undefined;
  try {
    const [first, ...others] = (pem.match(block) ?? []).map((each) => new X509Certificate(each));
    return first === undefined ? undefined : [first, ...others];
  } catch {
    return undefined;
  }
};

/** Returns whether the first private key in a PEM text is encrypted and therefore needs a passphrase. */
export const needsPassphrase = (pem: string): boolean =>
  /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: *4, *ENCRYPTED/m.test(pem);

/**
 * Reads a private key in PEM. Returns undefined if there is none, or if it is encrypted and the passphrase is missing or wrong.
 */
export const readPrivateKey = (pem: string, passphrase?: string): KeyObject | undefined => {
  try {
    return createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) });
  } catch {
    return undefined;
  }
};

/** Why OpenSSL refuses a certificate although it matches its key, by error code. */
const weaknesses: Readonly<Record<string, string>> = {
  ERR_SSL_EE_KEY_TOO_SMALL: 'its key is too short',
  ERR_SSL_CA_KEY_TOO_SMALL: 'the key of an authority in it is too short',
  ERR_SSL_CA_MD_TOO_WEAK: 'it is signed with an algorithm that can be forged, such as SHA-1',
};

/** Returns the weakness for which OpenSSL refused a certificate, as the end of a sentence, or undefined for all other errors. */
export const findWeakness = (error: unknown): string | undefined => weaknesses[errorCode(error) ?? ''];

/** The certificates that OpenSSL accepts, as part of a sentence. */
export const strongEnough = 'one with an RSA key of at least 2048 bits or an EC key, signed with SHA-256';

/** Returns why OpenSSL refuses a certificate and the key that belongs to it, as the end of a sentence about the certificate. */
export const findRefusal = (options: SecureContextOptions): string | undefined => {
  try {
    process.getBuiltinModule('node:tls').createSecureContext(options);
    return undefined;
  } catch (error) {
    const weakness = findWeakness(error);
    return weakness === undefined ? `cannot be used (${errorText(error)})` : `is too weak for TLS: ${weakness}`;
  }
};

/**
 * Returns why no server can be verified with any of these authorities, as the end of a sentence about the first of them. OpenSSL
 * accepts weak ones in a list, but no server whose certificate they issued.
 */
export const findWeakAuthority = (authorities: readonly X509Certificate[]): string | undefined => {
  // OpenSSL applies the same minimum to the keys of authorities and of other certificates.
  const refusals = authorities.map((each) => findRefusal({ cert: each.toString() }));
  return refusals.includes(undefined) ? undefined : refusals[0];
};
