import { fromJson } from '../../../../schema/json/from-json.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { placeholderAt, type SealedByPlace } from '../../kernel/secrets/literals.ts';
import type { Sealed, SealedAt } from '../../kernel/secrets/seal.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { GivenCredential } from './destination.ts';

/** A credential as the column `credential` has it: sealed secrets by config field name. */
export interface StoredCredential {
  readonly [field: string]: Sealed;
}

/** The record that a credential belongs to. */
export type CredentialOwner = Pick<SealedAt, 'tenant' | 'table' | 'id'>;

/** The place that a field of a credential is sealed for. */
export const sealedAt = (owner: CredentialOwner, field: string): SealedAt => ({
  ...owner,
  field: `credential${toPointer([field])}`,
});

export const readCredential = (column: string | null): StoredCredential =>
  // The store has only what was sealed.
  column === null ? {} : (fromJson(column) as StoredCredential);

/** The place of a field in a body, and in a record that is read. */
const toPlace = (field: string) => toPointer(['credential', field]);

/** Stored secrets by their places in a body. */
export const placesOfCredential = (stored: StoredCredential): SealedByPlace =>
  Object.fromEntries(Object.entries(stored).map(([field, sealed]) => [toPlace(field), sealed]));

/** A credential as it is read back: a placeholder for each secret. */
export const maskedCredential = (stored: StoredCredential): GivenCredential =>
  Object.fromEntries(Object.keys(stored).map((field) => [field, placeholderAt(toPlace(field))]));

/** Shows the destination of a record: without secrets. */
export const shownDestination = ({
  provider,
  settings,
  credential,
}: {
  readonly provider: string;
  readonly settings: string;
  readonly credential: string | null;
}): object => ({
  provider,
  settings: fromJson(settings),
  credential: maskedCredential(readCredential(credential)),
});

/**
 * The column for a credential: its placeholders, which `keepSealed` has validated, stay what they were, and the rest is
 * sealed. Rejects with a `SecretError` if it cannot be.
 */
export const sealCredential = async (
  sealer: Sealer,
  {
    given,
    kept,
    owner,
  }: { readonly given: GivenCredential; readonly kept: SealedByPlace; readonly owner: CredentialOwner },
): Promise<string | null> => {
  const fields = Object.entries(given).map(async ([field, text]): Promise<[string, Sealed]> => {
    return [field, kept[toPlace(field)] ?? (await sealer.seal(text, sealedAt(owner, field)))];
  });
  return fields.length === 0 ? null : JSON.stringify(Object.fromEntries(await Promise.all(fields)));
};
