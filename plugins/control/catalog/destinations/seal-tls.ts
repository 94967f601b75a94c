import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { readCertificates } from '../../../sdk/http/read-pem.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { keepSealed } from '../../kernel/secrets/literals.ts';
import type { Sealed } from '../../kernel/secrets/seal.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { CredentialOwner } from './destination.ts';
import {
  type GivenTls,
  readStoredTls,
  type SealedMember,
  type StoredTls,
  sealedMembers,
  tlsPlace,
  tlsSealedAt,
} from './stored-tls.ts';
import { memberProblems, pairProblems } from './tls-problems.ts';

/** Lists problems with the combination of members. */
const shapeProblems = (
  given: GivenTls,
  { settings, origins }: { readonly settings: JsonObject; readonly origins: readonly string[] },
): readonly Problem[] => {
  const { cert, key } = given;
  if (Object.keys(given).length === 0)
    return [problem(['tls'], 'It has no members.', 'Add "ca", "cert" and "key", or "server_name"; null removes it.')];
  const [only, absent] = cert === undefined ? ['key', 'cert'] : ['cert', 'key'];
  const isPaired = (cert === undefined) === (key === undefined);
  return [
    ...(isPaired
      ? []
      : [
          problem(
            ['tls', only ?? ''],
            `"${only}" is set without "${absent}", so the gateway could not identify itself.`,
            `Add "${absent}", or remove "${only}".`,
          ),
        ]),
    ...(typeof settings.custom_host === 'string' && /^http:/i.test(settings.custom_host)
      ? [
          problem(
            ['tls'],
            'The "custom_host" begins with http://, so "tls" would not be used.',
            'Begin "custom_host" with https://, or leave "tls" out.',
          ),
        ]
      : []),
    ...(origins.length === 0 && settings.custom_host === undefined
      ? [
          problem(
            ['tls'],
            'Its provider answers in the gateway itself, so that "tls" would not be used.',
            'Leave it out.',
          ),
        ]
      : []),
  ];
};

/** The TLS settings of a body, or the stored ones if the body leaves them as they are. */
export interface PreparedTls {
  readonly problems: readonly InputProblem[];
  /** The places at which a private key is retained; that of the settings if the body omits them. */
  readonly retainedAt: readonly JsonPointer[];
  /** Whether servers are verified differently than before. */
  readonly isOtherTrust: boolean;
  /** Returns the column. Rejects with a `SecretError` if nothing can be sealed. */
  seal(): Promise<string | null>;
}

interface Sent {
  readonly given: GivenTls;
  readonly before: StoredTls | undefined;
  readonly owner: CredentialOwner;
}

type Kept = { readonly [Member in SealedMember]?: Sealed };

/** Returns the texts of the given members, including those that placeholders stand for. */
const readTexts = async (
  sealer: Pick<Sealer, 'open'>,
  { given, owner }: Sent,
  kept: Kept,
): Promise<{ readonly [Member in SealedMember]?: string }> => {
  const texts = sealedMembers.map(async (member) => {
    const sealed = kept[member];
    const text = sealed === undefined ? given[member] : await sealer.open(sealed, tlsSealedAt(owner, member));
    return text === undefined ? [] : [[member, text] as const];
  });
  return Object.fromEntries((await Promise.all(texts)).flat());
};

/** Returns when the first certificate of a text expires, in seconds since the epoch. */
const readEnd = (cert: string): number =>
  Math.min(...(readCertificates(cert) ?? []).map(({ validTo }) => Math.floor(Date.parse(validTo) / 1000)));

const isSameAuthority = async (
  sealer: Pick<Sealer, 'open'>,
  { ca }: { readonly ca?: string },
  { before, owner }: Omit<Sent, 'given'>,
): Promise<boolean> => {
  const stored = before?.sealed.ca;
  return (stored === undefined ? undefined : await sealer.open(stored, tlsSealedAt(owner, 'ca'))) === ca;
};

/**
 * Validates the TLS settings of a body. If they are absent, the previous ones stay; null removes them. Rejects with a
 * `SecretError` if a retained text cannot be opened.
 */
export const prepareTls = async (
  sealer: Pick<Sealer, 'open' | 'seal'>,
  {
    sent,
    column,
    owner,
    destination,
    now,
  }: {
    readonly sent: GivenTls | null | undefined;
    readonly column: string | null;
    readonly owner: CredentialOwner;
    readonly destination: Parameters<typeof shapeProblems>[1];
    /** The current time, in milliseconds since the epoch. */
    readonly now: number;
  },
): Promise<PreparedTls> => {
  const before = readStoredTls(column);
  if (sent === undefined) {
    const shape = before === undefined ? [] : shapeProblems({ ca: '' }, destination);
    const retainedAt = before?.sealed.key === undefined ? [] : [toPointer(['tls'])];
    return { problems: shape, retainedAt, isOtherTrust: false, seal: async () => column };
  }
  const given = sent ?? {};
  const kept = keepSealed(
    { tls: { ...given } },
    Object.fromEntries(
      Object.entries(before?.sealed ?? {}).map(([member, each]) => [toPointer(['tls', member]), each]),
    ),
  );
  const members: Kept = Object.fromEntries(
    sealedMembers.flatMap((member) => {
      const sealed = kept.kept[tlsPlace(member)];
      return sealed === undefined ? [] : [[member, sealed]];
    }),
  );
  const isNamed = new Set<string>(kept.problems.map(({ pointer }) => pointer));
  const wrong = sealedMembers.flatMap((member) => {
    const text = given[member];
    return text === undefined || members[member] !== undefined || isNamed.has(tlsPlace(member))
      ? []
      : memberProblems(member, text, now);
  });
  const problems = [...(sent === null ? [] : shapeProblems(given, destination)), ...kept.problems, ...wrong];
  const texts = problems.length > 0 ? {} : await readTexts(sealer, { given, before, owner }, members);
  // A stored pair was checked when it was saved, possibly by other rules.
  const isKept = members.cert !== undefined && members.key !== undefined;
  const isOtherTrust =
    before?.server_name !== given.server_name ||
    (problems.length === 0 && !(await isSameAuthority(sealer, texts, { before, owner })));
  return {
    problems: [...problems, ...(isKept ? [] : pairProblems(texts))],
    retainedAt: members.key === undefined ? [] : [tlsPlace('key')],
    isOtherTrust,
    async seal() {
      if (sent === null) return null;
      const sealed = Object.entries(texts).map(async ([name, text]) => {
        const member = name as SealedMember;
        return [member, members[member] ?? (await sealer.seal(text, tlsSealedAt(owner, member)))] as const;
      });
      const stored: StoredTls = {
        sealed: Object.fromEntries(await Promise.all(sealed)),
        ...(given.server_name !== undefined && { server_name: given.server_name }),
        ...(texts.cert !== undefined && { expires_at: readEnd(texts.cert) }),
      };
      return JSON.stringify(stored);
    },
  };
};
