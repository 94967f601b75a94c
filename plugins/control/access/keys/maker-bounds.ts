import { isDeepStrictEqual } from 'node:util';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Priority } from '../../../sdk/exchange/exchange.ts';
import { activePolicies } from '../../kernel/limits/active-policies.ts';
import { type CallerFacts, isMeantFor, labelsRead } from '../../kernel/limits/conditions.ts';
import type { LimitPolicy } from '../../kernel/limits/limit-policy.ts';
import { storedLimits } from '../../kernel/limits/own-limits.ts';
import { isExpired } from '../../kernel/records/is-expired.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { forbidden } from '../../kernel/requests/refusals.ts';
import type { Scope } from '../../kernel/requests/scopes.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { KeyRow } from '../../kernel/store/tables.ts';
import { heldScopes, type StoredDefaults } from './key-principal.ts';
import { priorityErrors } from './priority-errors.ts';

/** Returns when a key ends, in milliseconds since the epoch. */
export const toExpiryTime = (expiresAt: number | null): number => expiresAt ?? Number.POSITIVE_INFINITY;

/** Reports an expiry that is later than that of the key's maker. */
export const laterExpiryErrors = (expiresAt: number | null, maker: MakerBounds): readonly Problem[] =>
  maker.expiresAt === null || toExpiryTime(expiresAt) <= maker.expiresAt
    ? []
    : [
        problem(
          ['expires_at'],
          `This key expires at ${toSeconds(maker.expiresAt)}, and cannot grant anything for longer.`,
          `Write an expires_at of at most ${toSeconds(maker.expiresAt)}, or use a key that lasts longer.`,
        ),
      ];

/** Returns the defaults of a new key. What binds the requests of its maker also binds its own, unless it sets something else. */
export const inheritedDefaults = (
  defaults: StoredDefaults,
  { labels, fixed, priority }: MakerBounds,
): StoredDefaults => ({
  ...(priority === undefined ? {} : { priority }),
  ...(fixed === undefined ? {} : { ...fixed, allow_config_override: false }),
  ...defaults,
  ...(Object.keys(labels).length === 0 ? {} : { metadata: { ...labels, ...defaults.metadata } }),
});

const sameAsMaker = 'Leave it as it is in the key that you use, or use a key that does not have it.';

/**
 * Lists the errors of the defaults of a key: different values of the maker's labels that policies read, a different config from
 * the one that the maker is bound to, or a higher priority. Previous values stay allowed.
 */
export const looserDefaultsErrors = (
  after: StoredDefaults,
  { labels, fixed, priority, isFree }: MakerBounds,
  before?: StoredDefaults,
): readonly Problem[] => {
  const errors = Object.entries(labels).flatMap(([name, value]) => {
    const label = after.metadata?.[name];
    if (label === value || (before !== undefined && label === before.metadata?.[name])) return [];
    return [
      problem(
        ['defaults', 'metadata', name],
        `Policies read the label ${JSON.stringify(name)}, and the key that you use has another value of it.`,
        sameAsMaker,
      ),
    ];
  });
  const held = ({ allow_config_override = true, config_id }: StoredDefaults) => [allow_config_override, config_id];
  const isSame = (other: StoredDefaults | undefined): boolean =>
    other !== undefined && isDeepStrictEqual(held(after), held(other));
  if (fixed !== undefined && !isSame({ ...fixed, allow_config_override: false }) && !isSame(before))
    errors.push(problem(['defaults', 'config_id'], 'The key that you use can serve only its own config.', sameAsMaker));
  return isFree ? errors : [...errors, ...priorityErrors(after, priority, before)];
};

const isFamily = (row: KeyRow, { key }: MakerBounds): boolean =>
  row.id === key || (storedLimits(row.limits).shares ?? []).includes(key);

/**
 * Lists the reasons why a caller may not obtain a key as it is, by rotating it or extending its life: the key may do more than
 * the caller's own. Its scopes are validated elsewhere.
 */
export const obtainingErrors = (row: KeyRow, maker: MakerBounds): readonly Problem[] => {
  const unshared = !maker.isFree && maker.shares.length > 0 && !isFamily(row, maker);
  return [
    ...laterExpiryErrors(row.expires_at, maker),
    ...(unshared
      ? [
          problem(
            [],
            'The key that you use has limits, and this one does not share them.',
            'Use a key without limits, or a key of the organisation.',
          ),
        ]
      : []),
    ...looserDefaultsErrors(toDefaults(row), maker),
  ];
};

/**
 * Lists the reasons why the limits of a key may not be changed: they also apply to the caller that changes them, or the key does
 * not share the caller's limits.
 */
export const limitsErrors = (row: KeyRow, maker: MakerBounds): readonly Problem[] => {
  if (maker.isFree) return [];
  const hint = 'Use a key of the organisation.';
  if (row.id === maker.key || maker.shares.includes(row.id))
    return [problem([], 'A key of a workspace cannot change limits that apply to itself.', hint)];
  return maker.shares.length === 0 || isFamily(row, maker)
    ? []
    : [problem([], 'A key that has limits can change only those of keys that it has created.', hint)];
};

/** The current bounds of a key, which it passes on to keys that it creates, changes or rotates. */
export interface MakerBounds {
  readonly key: string;
  readonly scopes: ReadonlySet<Scope>;
  /** In milliseconds since the epoch; null if it does not expire. */
  readonly expiresAt: number | null;
  /** The keys whose limits apply to its requests, the outermost first. If the key itself is limited, it is the last of them. */
  readonly shares: readonly string[];
  /** For a key of a workspace: those of its labels that policies read. */
  readonly labels: Readonly<Record<string, string>>;
  /** For a key of a workspace: the config that its requests cannot replace. */
  readonly fixed?: Pick<StoredDefaults, 'config_id'>;
  /** For a key of a workspace: its own priority, if it has one. */
  readonly priority?: Priority;
  /** Whether it belongs to the organisation, so that it may change any limits. */
  readonly isFree: boolean;
}

const toDefaults = ({ defaults }: Pick<KeyRow, 'defaults'>): StoredDefaults => fromJson(defaults) as StoredDefaults;

/** A key as policies see it. */
export interface KeyInPolicies {
  readonly facts: CallerFacts;
  /** The policies in force where the key is. */
  readonly policies: readonly LimitPolicy[];
  /** Whether it has limits of its own, or a policy is meant for it. */
  readonly isLimited: boolean;
}

/** Reads the policies where a key is, and whether any limit is meant for it. */
export const readInPolicies = async (db: Reading, row: KeyRow): Promise<KeyInPolicies> => {
  // The facts about a key that policies read, whatever its requests contain.
  const facts = {
    keys: [...(storedLimits(row.limits).shares ?? []), row.id],
    labels: { ...toDefaults(row).metadata, ...(row.user_id !== null && { _user: row.user_id }) },
    organisation: row.organisation_id,
    workspace: row.workspace_id ?? undefined,
  };
  const policies = await activePolicies(db, facts);
  return { facts, policies, isLimited: row.limits !== null || policies.some((policy) => isMeantFor(policy, facts)) };
};

/**
 * Reads the bounds of a key; undefined if there is no such key. Throws the `GatewayError` `forbidden` if it was revoked or has
 * expired in the meantime.
 */
export const readBounds = async (
  db: Reading,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<MakerBounds | undefined> => {
  const row = await db.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.status === 'revoked' || isExpired(row, now))
    throw forbidden([
      problem([], 'The key that you use was revoked or has expired in the meantime.', 'Use another key.'),
    ]);
  const { facts, policies, isLimited } = await readInPolicies(db, row);
  const { metadata = {}, config_id, allow_config_override: isChangeable = true, priority } = toDefaults(row);
  const isFree = row.workspace_id === null;
  const read = labelsRead(policies);
  return {
    key: row.id,
    scopes: new Set(heldScopes(row)),
    expiresAt: row.expires_at,
    shares: isLimited ? facts.keys : [],
    labels: isFree ? {} : Object.fromEntries(Object.entries(metadata).filter(([name]) => read.has(name))),
    ...(isFree || isChangeable ? {} : { fixed: config_id === undefined ? {} : { config_id } }),
    ...(isFree || priority === undefined ? {} : { priority }),
    isFree,
  };
};
