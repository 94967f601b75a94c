import type { Reading } from '../../kernel/records/records.ts';
import { conflict } from '../../kernel/requests/refusals.ts';
import { scopes } from '../../kernel/requests/scopes.ts';
import type { KeyRow } from '../../kernel/store/tables/tables.ts';
import { heldScopes } from '../identity/service-keys/key-principal.ts';
import { toEnd } from './maker-bounds.ts';

const managing = scopes.filter((scope) => scope.startsWith('keys.'));

/** Until when a key manages all keys of its organisation, in milliseconds since the epoch; 0 if it does not. */
export const adminUntil = (row: KeyRow): number => {
  if (row.kind !== 'organisation' || row.status === 'revoked') return 0;
  const held = new Set(heldScopes(row));
  return managing.every((scope) => held.has(scope)) ? toEnd(row.expires_at) : 0;
};

/**
 * Throws the `GatewayError` `conflict` for a change that ends an admin key, which manages the keys of its organisation, or has
 * it end sooner, while no other admin key may do as much and lasts as long. It must be called in the transaction that makes
 * the change.
 */
export const refuseLastAdmin = async (
  db: Reading,
  { before, after, now }: { readonly before: KeyRow; readonly after: KeyRow; readonly now: number },
): Promise<void> => {
  const until = adminUntil(before);
  if (until <= now || adminUntil(after) >= until) return;
  const others = await db
    .selectFrom('keys')
    .selectAll()
    .where('organisation_id', '=', before.organisation_id)
    .where('kind', '=', 'organisation')
    .where('status', '!=', 'revoked')
    .where('id', '!=', before.id)
    .execute();
  const held = heldScopes(before);
  const isInPlace = (other: KeyRow): boolean => {
    const others = new Set(heldScopes(other));
    return adminUntil(other) >= until && held.every((scope) => others.has(scope));
  };
  if (!others.some(isInPlace))
    throw conflict(
      'This is the last admin key of the organisation: no other one may do as much, and lasts as long.',
      'Make another key of the organisation with all scopes first.',
    );
};
