import type { KeyObject, X509Certificate } from 'node:crypto';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import {
  findRefusal,
  findWeakAuthority,
  needsPassphrase,
  readCertificates,
  readPrivateKey,
  strongEnough,
} from '../../../sdk/http/read-pem.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { type SealedMember, tlsPlace } from './stored-tls.ts';
import { referenceProblems } from './validate-destination.ts';

/** The maximum length of a key's modulus, in bits. Signing with a longer one would block all requests of a process. */
const maxModulusBits = 8192;

const isUsableKey = (key: KeyObject): boolean => {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details = {} } = key;
  if (type === 'rsa' || type === 'rsa-pss') return (details.modulusLength ?? Infinity) <= maxModulusBits;
  return type === 'ed25519' || (type === 'ec' && details.namedCurve !== undefined);
};

const keyProblems = (text: string): readonly Problem[] => {
  const place = ['tls', 'key'];
  if (needsPassphrase(text))
    return [
      problem(
        place,
        'This private key needs a passphrase.',
        'Remove it from the key with openssl pkey -in KEY. The key is sealed here.',
      ),
    ];
  const key = readPrivateKey(text);
  if (key === undefined)
    return [problem(place, 'This is not a PEM private key.', 'Send the output of openssl pkey -in KEY.')];
  return isUsableKey(key)
    ? []
    : [
        problem(
          place,
          `This private key is not supported. Use RSA of at most ${maxModulusBits} bits, an elliptic curve with a name, or Ed25519.`,
          'Have a certificate issued for another key.',
        ),
      ];
};

const isOver =
  (now: number) =>
  ({ validTo }: X509Certificate): boolean =>
    Date.parse(validTo) <= now;

const authorityProblems = (authorities: readonly X509Certificate[], now: number): readonly Problem[] => {
  const place = ['tls', 'ca'];
  const [first] = authorities;
  if (authorities.every(isOver(now)))
    return [
      problem(
        place,
        `The authority expired on ${first?.validTo}, so no server could be verified.`,
        'Send the certificate of an authority that is valid.',
      ),
    ];
  const refusal = findWeakAuthority(authorities);
  return refusal === undefined
    ? []
    : [problem(place, `The authority ${refusal}, so no server could be verified.`, `Send ${strongEnough}.`)];
};

const certificateProblems = (member: Exclude<SealedMember, 'key'>, text: string, now: number): readonly Problem[] => {
  const certificates = readCertificates(text);
  if (certificates === undefined)
    return [
      problem(
        ['tls', member],
        'This is not a PEM certificate.',
        'Send the output of openssl x509 -in CERTIFICATE. If there are several certificates, put them one after another.',
      ),
    ];
  if (member === 'ca') return authorityProblems(certificates, now);
  const [own] = certificates;
  return isOver(now)(own)
    ? [
        problem(
          ['tls', member],
          `This certificate expired on ${own.validTo}.`,
          'Have it renewed, and send the new one.',
        ),
      ]
    : [];
};

/** Lists the problems of a member of TLS settings at a time, in milliseconds since the epoch. */
export const memberProblems = (member: SealedMember, text: string, now: number): readonly InputProblem[] => {
  const references = referenceProblems(text, tlsPlace(member));
  if (references.length > 0) return references;
  return member === 'key' ? keyProblems(text) : certificateProblems(member, text, now);
};

/** Lists the problems of a certificate and a private key, each of which can be read. */
export const pairProblems = ({
  cert = '',
  key = '',
}: {
  readonly cert?: string;
  readonly key?: string;
}): readonly Problem[] => {
  const [certificate] = readCertificates(cert) ?? [];
  const secret = readPrivateKey(key);
  if (certificate === undefined || secret === undefined) return [];
  if (!certificate.checkPrivateKey(secret))
    return [
      problem(
        ['tls', 'key'],
        'This is not the private key of the certificate in "cert".',
        'Send the key that belongs to the certificate. If there are several certificates, that of the gateway comes first.',
      ),
    ];
  const refusal = findRefusal({ cert, key });
  return refusal === undefined
    ? []
    : [problem(['tls', 'cert'], `This certificate ${refusal}.`, `Send ${strongEnough}, and its key.`)];
};
