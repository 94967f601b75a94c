import { fromJson } from '../../../../../schema/json/from-json.ts';
import { type Scope, scopes, toScope } from '../../../kernel/requests/scopes.ts';
import type { KeyRow } from '../../../kernel/store/tables/tables.ts';

/** What a key of a store says of its scopes. */
export type ScopedKey = Pick<KeyRow, 'scopes' | 'kind' | 'created_by' | 'created_at' | 'updated_at'>;

/** In the stored list of an admin key: all scopes, those of later versions too. The API takes and shows no such name. */
const every = '*';

/** The stored list of an admin key. Versions that do not know what it begins with read the scopes behind it. */
export const adminScopes: readonly string[] = [every, ...scopes];

/** Scopes that there were not when the first admin keys were made, whose lists begin with no such name. */
const later: ReadonlySet<Scope> = new Set<Scope>(['logs.view', 'metrics.read', 'audit_logs.list']);

/**
 * Whether the gateway made a key as an admin key, with all scopes that there were, and nobody has changed it since: what was
 * taken from a key stays taken.
 */
const isOlderAdmin = (key: ScopedKey, stored: ReadonlySet<string>): boolean =>
  key.kind === 'organisation' &&
  key.created_by === null &&
  key.updated_at === key.created_at &&
  scopes.every((scope) => stored.has(scope) || later.has(scope));

/** The scopes of a key; those that this version does not know are left out. */
export const heldScopes = (key: ScopedKey): readonly Scope[] => {
  const stored = fromJson(key.scopes) as readonly string[];
  return stored.includes(every) || isOlderAdmin(key, new Set(stored))
    ? scopes
    : stored.flatMap((scope) => toScope(scope) ?? []);
};
