import { errorCode } from '../../../schema/text/error-code.ts';

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
