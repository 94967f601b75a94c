import { fromJson } from '../../../../schema/json/from-json.ts';
import { activePolicies } from '../../kernel/limits/active-policies.ts';
import type { LimitPolicy } from '../../kernel/limits/limit-policy.ts';
import { storedLimits } from '../../kernel/limits/own-limits.ts';
import { type CallerFacts, isMeantFor, labelsRead } from '../../kernel/limits/policies-of-caller.ts';
import type { Reading } from '../../kernel/records/records.ts';
import type { Scope } from '../../kernel/requests/scopes.ts';
import type { KeyRow } from '../../kernel/store/tables/tables.ts';
import { heldScopes } from '../identity/service-keys/held-scopes.ts';
import type { StoredDefaults } from '../identity/service-keys/key-principal.ts';

/** What a key has at this moment, of which it gives no more than that to keys that it makes, changes or rotates. */
export interface MakerBounds {
  readonly key: string;
  readonly scopes: ReadonlySet<Scope>;
  /** In milliseconds since the epoch; null if it does not expire. */
  readonly expiresAt: number | null;
  /** The keys whose limits hold for its requests, the outermost first; it is the last of them if it is limited itself. */
  readonly shares: readonly string[];
  /** Of a key of a workspace: those of its labels that policies read. */
  readonly labels: Readonly<Record<string, string>>;
  /** Of a key of a workspace: the config that its requests cannot leave. */
  readonly fixed?: Pick<StoredDefaults, 'config_id'>;
  /** Whether it is of the organisation, so that no limit keeps it from changing limits. */
  readonly isFree: boolean;
}

const toDefaults = ({ defaults }: Pick<KeyRow, 'defaults'>): StoredDefaults => fromJson(defaults) as StoredDefaults;

/** A key as policies see it. */
export interface KeyInPolicies {
  readonly facts: CallerFacts;
  /** Those in force where the key is. */
  readonly policies: readonly LimitPolicy[];
  /** Whether it has limits of its own, or a policy is meant for it. */
  readonly isLimited: boolean;
}

/** What policies read of a key, whatever its requests say. */
const callerFacts = (row: KeyRow): CallerFacts => ({
  keys: [...(storedLimits(row.limits).shares ?? []), row.id],
  labels: {
    ...toDefaults(row).metadata,
    ...(row.user_id !== null && { _user: row.user_id }),
  },
  organisation: row.organisation_id,
  workspace: row.workspace_id ?? undefined,
});

/** Reads the policies where a key is, and whether any limit is meant for it. */
export const readInPolicies = async (db: Reading, row: KeyRow): Promise<KeyInPolicies> => {
  const facts = callerFacts(row);
  const policies = await activePolicies(db, facts);
  const isLimited = row.limits !== null || policies.some((policy) => isMeantFor(policy, facts));
  return { facts, policies, isLimited };
};

/** Reads what a key has; `ended` where it is revoked or has expired meanwhile, and undefined where there is no such key. */
export const readBounds = async (
  db: Reading,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<MakerBounds | 'ended' | undefined> => {
  const row = await db.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.status === 'revoked' || (row.expires_at !== null && row.expires_at <= now)) return 'ended';
  const { facts, policies, isLimited } = await readInPolicies(db, row);
  const { metadata = {}, config_id, allow_config_override: isChangeable = true } = toDefaults(row);
  const isFree = row.workspace_id === null;
  const read = labelsRead(policies);
  return {
    key: row.id,
    scopes: new Set(heldScopes(row)),
    expiresAt: row.expires_at,
    shares: isLimited ? facts.keys : [],
    labels: isFree ? {} : Object.fromEntries(Object.entries(metadata).filter(([name]) => read.has(name))),
    ...(isFree || isChangeable ? {} : { fixed: config_id === undefined ? {} : { config_id } }),
    isFree,
  };
};
