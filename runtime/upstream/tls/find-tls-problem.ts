import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { SavedTls } from '../../../schema/config/saved-tls.ts';
import type { SecretRef } from '../../../schema/plan/plan.ts';
import { tlsReferences } from '../../../schema/plan/target-settings.ts';

/** Something wrong with the values of TLS settings. */
export interface TlsProblem {
  /** The member that it is about. */
  readonly member: (typeof tlsReferences)[number];
  /** Whether the reference has no value. */
  readonly isMissing: boolean;
  /** A sentence. */
  readonly message: string;
  /** An instruction: another sentence. */
  readonly hint: string;
}

const block = /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----[\s\S]*?-----END \1-----/g;

/** Reads all certificates of a text of PEM; undefined if there is none, or one that cannot be read. */
export const readCertificates = (pem: string): readonly [X509Certificate, ...X509Certificate[]] | undefined => {
  try {
    const [first, ...others] = (pem.match(block) ?? []).map((each) => new X509Certificate(each));
    return first === undefined ? undefined : [first, ...others];
  } catch {
    return undefined;
  }
};

const readKey = (pem: string): KeyObject | undefined => {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
};

type Read = (ref: SecretRef) => string | undefined;

const valueProblem = (
  member: TlsProblem['member'],
  { tls, read }: { readonly tls: SavedTls; readonly read: Read },
): TlsProblem | undefined => {
  const ref = tls[member];
  if (ref === undefined) return undefined;
  // The schema of the gateway file has seen that it is one.
  const value = read(ref as SecretRef);
  if (value === undefined)
    return {
      ...{ member, isMissing: true, message: `"${member}" refers to ${ref}, which is not set or cannot be read.` },
      hint: 'Set it, or let the user of the gateway read it.',
    };
  const isReadable = member === 'key' ? readKey(value) !== undefined : readCertificates(value) !== undefined;
  if (isReadable) return undefined;
  return member === 'key'
    ? {
        ...{
          member,
          isMissing: false,
          message: `The value of "key" (${ref}) is not a private key in PEM without a password.`,
        },
        hint: 'Write it as openssl pkey -in KEY does.',
      }
    : {
        ...{ member, isMissing: false, message: `The value of "${member}" (${ref}) is not a certificate in PEM.` },
        hint: 'Write it as openssl x509 -in CERTIFICATE does, several one after another.',
      };
};

const pairProblem = ({ cert, key }: SavedTls, read: Read): TlsProblem | undefined => {
  if (cert === undefined || key === undefined) return undefined;
  const [certificate] = readCertificates(read(cert as SecretRef) ?? '') ?? [];
  const secret = readKey(read(key as SecretRef) ?? '');
  if (certificate === undefined || secret === undefined || certificate.checkPrivateKey(secret)) return undefined;
  return {
    ...{
      member: 'key',
      isMissing: false,
      message: `The key of "key" (${key}) is not that of the certificate in "cert" (${cert}).`,
    },
    hint: 'Name the key that the certificate was made with; of several certificates, that of the gateway comes first.',
  };
};

/** The first thing that is wrong with the values of TLS settings. No text shows any of a value. */
export const findTlsProblem = (tls: SavedTls, read: Read): TlsProblem | undefined => {
  for (const member of tlsReferences) {
    const problem = valueProblem(member, { tls, read });
    if (problem !== undefined) return problem;
  }
  return pairProblem(tls, read);
};
