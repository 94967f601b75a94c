import { type KeyObject, X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import {
  findRefusal,
  needsPassphrase,
  readCertificates,
  readPrivateKey,
  strongEnough,
} from '../../../plugins/sdk/http/read-pem.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import { printable } from '../../../schema/text/printable.ts';
import { readRegularFileSync } from '../../watched-files/read-regular-file.ts';
import { unreadableReason } from '../../watched-files/unreadable-reason.ts';
import { isSecretRef } from '../settings/secret-reader.ts';

/** The gateway file's `listen.tls`. */
export type TlsSettings = NonNullable<NonNullable<GatewayFile['listen']>['tls']>;

export interface TlsPlace {
  /** The folder of the gateway file. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Thrown if a certificate cannot be served, with the reason and what to do. */
export class TlsError extends Error {}

/** A certificate, its key and the authorities of clients, which belong together. */
export interface ReadCertificate {
  readonly context: SecureContextOptions;
  readonly certificate: X509Certificate;
  /** The name of the certificate in messages. */
  readonly named: string;
}

/** The certificates of a listener. The first is for clients that request no name, or one that no certificate is for. */
export type ReadTls = readonly [ReadCertificate, ...ReadCertificate[]];

const maxBytes = 1024 * 1024;

/** The settings of one certificate, and their place in those of the listener. */
interface Placed {
  readonly settings: Pick<TlsSettings, 'cert' | 'key' | 'passphrase'>;
  /** The prefix of the names of its members: empty, or `certificates.0.`. */
  readonly prefix: string;
}

const listPlaced = (settings: TlsSettings): readonly [Placed, ...Placed[]] => [
  { settings, prefix: '' },
  ...(settings.certificates ?? []).map((each, at) => ({ settings: each, prefix: `certificates.${at}.` })),
];

/** Returns where the PEM of a member is: the path of a file, or the name of a variable. */
const findSource = (text: string, folder: string): { readonly path: string } | { readonly variable: string } => {
  const [, kind, name = ''] = isSecretRef(text) ? (/^\$\{(env|file):(.+)\}$/.exec(text) ?? []) : [];
  if (kind === 'env') return { variable: name };
  return { path: kind === 'file' ? name : resolve(folder, text) };
};

/** Lists the files that the settings name, each once. */
export const listTlsFiles = (settings: TlsSettings, { folder }: TlsPlace): readonly string[] => [
  ...new Set(
    [
      settings.client_ca,
      ...listPlaced(settings).flatMap(({ settings: { cert, key, passphrase } }) => [cert, key, passphrase]),
    ].flatMap((text) => {
      const source = text === undefined ? undefined : findSource(text, folder);
      return source !== undefined && 'path' in source ? [source.path] : [];
    }),
  ),
];

interface Pem {
  readonly text: string;
  /** The name in messages. */
  readonly named: string;
}

const readPem = (member: string, text: string, { folder, env }: TlsPlace): Pem => {
  const source = findSource(text, folder);
  const setting = `"listen.tls.${member}" of the gateway file`;
  if ('variable' in source) {
    const value = env[source.variable];
    if (value) return { text: value, named: `the variable ${source.variable}` };
    throw new TlsError(`The variable ${source.variable}, which ${setting} names, is not set. Set it.`);
  }
  try {
    return { text: readRegularFileSync(source.path, maxBytes).toString('utf8'), named: source.path };
  } catch (error) {
    throw new TlsError(`The file ${source.path}, which ${setting} names, cannot be read. ${unreadableReason(error)}`);
  }
};

const attempt = <Value>(read: () => Value, message: string): Value => {
  try {
    return read();
  } catch {
    // Node's own text may show part of what it could not read.
    throw new TlsError(message);
  }
};

/** Returns why a certificate is not valid at a time. Undefined if it is. */
export const findTimeProblem = ({ named, certificate }: ReadCertificate, now: number): string | undefined => {
  const { validFrom, validTo } = certificate;
  if (Date.parse(validTo) <= now)
    return `The certificate in ${named} expired on ${validTo}. Clients refuse it: replace it.`;
  return Date.parse(validFrom) > now
    ? `The certificate in ${named} is not valid before ${validFrom}. Clients refuse it: replace it, or correct the clock of this machine.`
    : undefined;
};

/** Finds the authorities of clients that are not valid at a time. Clients with their certificates are refused. */
export const findAuthorityProblems = (settings: TlsSettings, place: TlsPlace, now: number): readonly string[] => {
  if (settings.client_ca === undefined) return [];
  const { text, named } = readPem('client_ca', settings.client_ca, place);
  return (readCertificates(text) ?? []).flatMap(({ subject, validFrom, validTo }) => {
    const authority = `The authority ${printable(subject.replaceAll('\n', ', '))} in ${named}, which "listen.tls.client_ca" names,`;
    if (Date.parse(validTo) <= now)
      return [
        `${authority} expired on ${validTo}, and clients with its certificates are refused. Replace it, or remove it.`,
      ];
    return Date.parse(validFrom) > now
      ? [
          `${authority} is not valid before ${validFrom}, and clients with its certificates are refused. Replace it, or correct the clock of this machine.`,
        ]
      : [];
  });
};

const readKey = (key: Pem, passphrase: Pem | undefined, member: string): KeyObject => {
  // Most tools that write secret files end them with a line break, which is not part of the secret.
  const given = passphrase?.text.replace(/\r?\n$/, '');
  const found = readPrivateKey(key.text, given);
  if (found !== undefined) return found;
  if (!needsPassphrase(key.text))
    throw new TlsError(
      `There is no PEM private key in ${key.named}. Put one there that begins with -----BEGIN PRIVATE KEY-----.`,
    );
  if (passphrase === undefined)
    throw new TlsError(
      `The private key in ${key.named} needs a passphrase. Refer to it in "listen.tls.${member}", or use a key that needs none.`,
    );
  throw new TlsError(
    `The passphrase in ${passphrase.named} is not that of the private key in ${key.named}. Replace one of them.`,
  );
};

const readCertificate = (
  { settings, prefix }: Placed,
  { place, ...others }: { readonly place: TlsPlace } & Pick<SecureContextOptions, 'ca' | 'minVersion'>,
): ReadCertificate => {
  const cert = readPem(`${prefix}cert`, settings.cert, place);
  const key = readPem(`${prefix}key`, settings.key, place);
  const member = `${prefix}passphrase`;
  const passphrase = settings.passphrase === undefined ? undefined : readPem(member, settings.passphrase, place);
  const certificate = attempt(
    () => new X509Certificate(cert.text),
    `There is no PEM certificate in ${cert.named}. Put one there that begins with -----BEGIN CERTIFICATE-----.`,
  );
  const privateKey = readKey(key, passphrase, member);
  if (!certificate.checkPrivateKey(privateKey)) {
    if (readCertificates(cert.text)?.some((each) => each.checkPrivateKey(privateKey)) === true)
      throw new TlsError(
        `The certificate for the private key in ${key.named} is not the first one in ${cert.named}. Put it first, followed by those that lead to its authority.`,
      );
    throw new TlsError(
      `The private key in ${key.named} does not belong to the certificate in ${cert.named}. Replace one of them.`,
    );
  }
  if (readCertificates(cert.text) === undefined)
    throw new TlsError(
      `After the first certificate in ${cert.named}, there is one that cannot be read or is incomplete. Recreate the file.`,
    );
  // An encrypted key is decrypted once.
  const plain = needsPassphrase(key.text) ? privateKey.export({ type: 'pkcs8', format: 'pem' }) : key.text;
  const context: SecureContextOptions = { cert: cert.text, key: plain, ...others };
  const refusal = findRefusal(context);
  if (refusal !== undefined)
    throw new TlsError(`The certificate in ${cert.named} ${refusal}. Replace it with ${strongEnough}.`);
  return { context, certificate, named: cert.named };
};

/** Reads what a listener serves with. Throws a `TlsError` for anything that is missing, or that does not belong together. */
export const readTls = (settings: TlsSettings, place: TlsPlace): ReadTls => {
  const ca = settings.client_ca === undefined ? undefined : readPem('client_ca', settings.client_ca, place);
  const options = {
    place,
    minVersion: settings.min_version ?? ('TLSv1.2' as const),
    ...(ca === undefined ? {} : { ca: ca.text }),
  };
  const [first, ...others] = listPlaced(settings);
  const read: ReadTls = [readCertificate(first, options), ...others.map((each) => readCertificate(each, options))];
  if (ca !== undefined && readCertificates(ca.text) === undefined)
    throw new TlsError(
      `There is no PEM certificate in ${ca.named}, or one that cannot be read or is incomplete. Put the certificates of your clients' authorities there.`,
    );
  return read;
};
