import {
  findRefusal,
  findWeakAuthority,
  needsPassphrase,
  readCertificates,
  readPrivateKey,
  strongEnough,
} from '../../plugins/sdk/http/read-pem.ts';
import type { SavedTls } from '../../schema/config/saved-tls.ts';
import type { SecretRef } from '../../schema/plan/plan.ts';
import { tlsReferences } from '../../schema/plan/target-settings.ts';

/** A problem with the values of TLS settings. */
export interface TlsProblem {
  /** The member that it concerns. */
  readonly member: (typeof tlsReferences)[number];
  /** Whether the reference has no value. */
  readonly isMissing: boolean;
  /** A sentence. */
  readonly message: string;
  /** An instruction: another sentence. */
  readonly hint: string;
}

type Read = (ref: SecretRef) => string | undefined;

type Settings = { readonly tls: SavedTls; readonly read: Read };

/** Returns why the value of a private key cannot be read. */
const keyProblem = (value: string, { tls, read }: Settings): TlsProblem | undefined => {
  const { key, passphrase } = tls;
  const given = passphrase === undefined ? undefined : read(passphrase as SecretRef);
  if (readPrivateKey(value, given) !== undefined) return undefined;
  const found = (member: TlsProblem['member'], message: string, hint: string): TlsProblem => ({
    ...{ member, isMissing: false, message, hint },
  });
  if (!needsPassphrase(value))
    return found(
      'key',
      `The value of "key" (${key}) is not a PEM private key.`,
      'Convert it with openssl pkey -in KEY.',
    );
  if (passphrase === undefined)
    return found(
      'key',
      `The value of "key" (${key}) needs a passphrase.`,
      'Refer to it in "passphrase", or remove it from the key with openssl pkey -in KEY.',
    );
  // A reference without a value is a separate problem.
  if (given === undefined) return undefined;
  return found(
    'passphrase',
    `The value of "passphrase" (${passphrase}) is not the passphrase of "key" (${key}).`,
    'Refer to the passphrase that this key was encrypted with.',
  );
};

/** Returns why OpenSSL does not accept certificates that can be read. */
const weakProblem = (member: 'ca' | 'cert', what: string, refusal: string | undefined): TlsProblem | undefined =>
  refusal === undefined
    ? undefined
    : { ...{ member, isMissing: false, message: `${what} ${refusal}.` }, hint: `Replace it with ${strongEnough}.` };

/** `name`: the setting as messages call it. */
const valueProblem = (
  member: TlsProblem['member'],
  settings: Settings,
  name = `"${member}"`,
): TlsProblem | undefined => {
  const { tls, read } = settings;
  const ref = tls[member];
  if (ref === undefined) return undefined;
  // The schema of the gateway file has checked that it is a reference.
  const value = read(ref as SecretRef);
  if (value === undefined)
    return {
      ...{ member, isMissing: true, message: `${name} refers to ${ref}, which is not set or cannot be read.` },
      hint: "Set it, or make the file readable for the gateway's user.",
    };
  if (member === 'key') return keyProblem(value, settings);
  if (member === 'passphrase') return undefined;
  const certificates = readCertificates(value);
  if (certificates !== undefined)
    return member === 'ca'
      ? weakProblem(member, `The authority in ${name} (${ref})`, findWeakAuthority(certificates))
      : undefined;
  return {
    ...{
      member,
      isMissing: false,
      message: `The value of ${name} (${ref}) is not a PEM certificate, or is incomplete.`,
    },
    hint: 'Convert it with openssl x509 -in CERTIFICATE. If there are several certificates, put them one after another.',
  };
};

const pairProblem = ({ cert, key, passphrase }: SavedTls, read: Read): TlsProblem | undefined => {
  if (cert === undefined || key === undefined) return undefined;
  const certText = read(cert as SecretRef) ?? '';
  const keyText = read(key as SecretRef) ?? '';
  const [certificate] = readCertificates(certText) ?? [];
  const given = passphrase === undefined ? undefined : read(passphrase as SecretRef);
  const secret = readPrivateKey(keyText, given);
  if (certificate === undefined || secret === undefined) return undefined;
  if (certificate.checkPrivateKey(secret))
    return weakProblem(
      'cert',
      `The certificate of "cert" (${cert})`,
      findRefusal({ cert: certText, key: keyText, ...(given !== undefined && { passphrase: given }) }),
    );
  return {
    ...{
      member: 'key',
      isMissing: false,
      message: `The private key in "key" (${key}) does not belong to the certificate in "cert" (${cert}).`,
    },
    hint: "Use the key that the certificate was issued for. If there are several certificates, the gateway's must come first.",
  };
};

/** Returns the first problem with the values of TLS settings. No text shows any part of a value. */
export const findTlsProblem = (tls: SavedTls, read: Read): TlsProblem | undefined => {
  for (const member of tlsReferences) {
    const problem = valueProblem(member, { tls, read });
    if (problem !== undefined) return problem;
  }
  return pairProblem(tls, read);
};

/** Returns the problem with a reference to the certificates of authorities that another setting than `ca` has. */
export const findAuthorityProblem = (ref: string, read: Read, name: string): TlsProblem | undefined =>
  valueProblem('ca', { tls: { ca: ref }, read }, name);
