/** Why the certificate of another side is not good, by the codes of OpenSSL and Node: each the end of a sentence about that side. */
export const certificateReasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate was issued by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate was issued by an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  INVALID_PURPOSE: 'its certificate is for another purpose',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};
