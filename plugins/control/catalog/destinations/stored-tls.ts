import type { SavedTls } from '../../../../schema/config/saved-tls.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { savedRef } from '../../kernel/records/saved-parts.ts';
import type { StoredSecret } from '../../kernel/secrets/compare-secrets.ts';
import { placeholderAt } from '../../kernel/secrets/literals.ts';
import type { Sealed, SealedAt, SealedSecret } from '../../kernel/secrets/seal.ts';
import type { CredentialOwner } from './destination.ts';

/** The members of TLS settings that are PEM texts, and are sealed. */
export const sealedMembers = ['ca', 'cert', 'key'] as const;

export type SealedMember = (typeof sealedMembers)[number];

/** TLS settings as stored in the column `tls`. */
export interface StoredTls {
  readonly sealed: { readonly [Member in SealedMember]?: Sealed };
  readonly server_name?: string;
  /** When the first of the certificates in `cert` expires, in seconds since the epoch. */
  readonly expires_at?: number;
}

/** The TLS settings of a body: PEM texts, or the placeholders of stored ones. */
export type GivenTls = { readonly [Member in SealedMember]?: string } & { readonly server_name?: string };

/** Returns where a record shows a member of its TLS settings. */
export const tlsPlace = (member: SealedMember | 'server_name'): JsonPointer => toPointer(['tls', member]);

/** Returns the place that a member is sealed for. */
export const tlsSealedAt = (owner: CredentialOwner, member: SealedMember): SealedAt => ({
  ...owner,
  field: `tls${toPointer([member])}`,
});

/** Parses the column of TLS settings; returns undefined if a record has none. */
export const readStoredTls = (column: string | null): StoredTls | undefined =>
  // The store contains only what was sealed.
  column === null ? undefined : (fromJson(column) as unknown as StoredTls);

const heldMembers = ({ sealed }: StoredTls): readonly (readonly [SealedMember, Sealed])[] =>
  sealedMembers.flatMap((member) => {
    const each = sealed[member];
    return each === undefined ? [] : [[member, each] as const];
  });

const masked = (stored: StoredTls): GivenTls =>
  Object.fromEntries(heldMembers(stored).map(([member]) => [member, placeholderAt(tlsPlace(member))]));

const nameIn = ({ server_name }: StoredTls): Pick<GivenTls, 'server_name'> =>
  server_name === undefined ? {} : { server_name };

/** Returns TLS settings as they are shown: placeholders, the server name, and when the certificate expires. */
export const shownTls = (column: string | null): object => {
  const stored = readStoredTls(column);
  if (stored === undefined) return {};
  const { expires_at } = stored;
  return {
    tls: { ...masked(stored), ...nameIn(stored) },
    ...(expires_at !== undefined && { tls_expires_at: expires_at }),
  };
};

/** Lists the sealed members of TLS settings, at the places of their placeholders. */
export const tlsSecrets = (column: string | null, owner: CredentialOwner): readonly StoredSecret[] => {
  const stored = readStoredTls(column);
  return stored === undefined
    ? []
    : heldMembers(stored).map(([member, sealed]) => ({
        ...{ pointer: tlsPlace(member), sealed, at: tlsSealedAt(owner, member) },
      }));
};

/** Returns the TLS settings that configs are compiled with, and the secrets that their references stand for. */
export const toSavedTls = (
  column: string | null,
  owner: CredentialOwner,
): { readonly tls: SavedTls; readonly secrets: readonly SealedSecret[] } | undefined => {
  const stored = readStoredTls(column);
  if (stored === undefined) return undefined;
  const secrets = heldMembers(stored).map(([member, sealed]) => ({ member, sealed, at: tlsSealedAt(owner, member) }));
  return {
    tls: { ...Object.fromEntries(secrets.map(({ member, at }) => [member, savedRef(at)])), ...nameIn(stored) },
    secrets: secrets.map(({ sealed, at }) => ({ sealed, at })),
  };
};
