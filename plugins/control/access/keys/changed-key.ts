import { isDeepStrictEqual } from 'node:util';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { changedLimits, ownLimitsErrors, storedLimits } from '../../kernel/limits/own-limits.ts';
import { isExpired } from '../../kernel/records/is-expired.ts';
import { newNameErrors } from '../../kernel/records/name-errors.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { refuse, refuseForbidden } from '../../kernel/requests/refusals.ts';
import { scopeErrors } from '../../kernel/requests/scopes.ts';
import type { KeyRow } from '../../kernel/store/tables.ts';
import type { KeyRotationBody, KeyUpdateBody, RotationPolicy } from './key-bodies.ts';
import { defaultsFaults, rotationPolicyErrors, scheduled, scopeListErrors, timeErrors, toScopes } from './key-parts.ts';
import { heldScopes, type StoredDefaults } from './key-principal.ts';
import { limitsErrors, looserDefaultsErrors, obtainingErrors, toExpiryTime } from './maker-bounds.ts';
import { type Maker, tokenErrors } from './new-key.ts';

/** After a rotation, the previous key stays valid for at least half an hour and at most a year. */
const minTransitionMs = 1_800_000;
const greatestTransitionMs = 31_536_000_000;

export interface UpdateFacts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether the config that the body names as a default exists. */
  readonly hasConfig: boolean;
}

const revokedErrors = ({ status }: KeyRow): readonly Problem[] =>
  status === 'revoked' ? [problem([], 'This key was revoked, which is final.', 'Create a new key.')] : [];

const updateErrors = (body: KeyUpdateBody, row: KeyRow, facts: UpdateFacts): readonly Problem[] => {
  const { scopes, defaults, expires_at, rotation_policy } = body;
  return [
    ...revokedErrors(row),
    ...newNameErrors(body, row),
    ...(scopes === undefined ? [] : scopeListErrors(scopes, row.kind === 'workspace-user')),
    ...(defaults === undefined ? [] : defaultsFaults(defaults, { hasConfig: facts.hasConfig, userId: row.user_id })),
    ...(expires_at === undefined || expires_at === null ? [] : timeErrors(['expires_at'], expires_at, facts.now)),
    ...(rotation_policy === undefined || rotation_policy === null
      ? []
      : rotationPolicyErrors(rotation_policy, facts.now)),
    ...ownLimitsErrors(body),
  ];
};

const toChange = (body: KeyUpdateBody, row: KeyRow, { now }: UpdateFacts): Partial<KeyRow> => {
  const { name, scopes, defaults, expires_at, rotation_policy, rate_limits, usage_limits } = body;
  return {
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes: JSON.stringify(toScopes(scopes)) }),
    ...(defaults !== undefined && { defaults: JSON.stringify(defaults) }),
    ...(expires_at !== undefined && { expires_at: expires_at === null ? null : expires_at * 1000 }),
    ...(rotation_policy !== undefined && {
      rotation: rotation_policy === null ? null : JSON.stringify(scheduled(rotation_policy, now)),
    }),
    ...((rate_limits !== undefined || usage_limits !== undefined) && {
      limits: changedLimits(body, { before: row.limits, now }),
    }),
  };
};

/** Lists errors of the defaults that a change would set on a key. */
const defaultsErrors = (text: string, row: KeyRow, maker: Maker): readonly Problem[] => {
  const [after, before] = [text, row.defaults].map((each) => fromJson(each) as StoredDefaults);
  if (after === undefined) return [];
  return maker.bounds === undefined
    ? tokenErrors(after, maker, before)
    : looserDefaultsErrors(after, maker.bounds, before);
};

/** Lists what a change would grant that its maker does not have. */
const changeErrors = (body: KeyUpdateBody, row: KeyRow, change: Partial<KeyRow>, maker: Maker): readonly Problem[] => {
  const after = { ...row, ...change };
  const isLonger = toExpiryTime(after.expires_at) > toExpiryTime(row.expires_at);
  // Extending the life of a key grants all of its scopes again.
  const held = new Set<string>([...(maker.scopes ?? []), ...(isLonger ? [] : heldScopes(row))]);
  const given = body.scopes ?? (isLonger ? heldScopes(row) : []);
  const { bounds } = maker;
  return [
    ...scopeErrors({ scopes: given, workspace: row.workspace_id ?? undefined }, { ...maker, scopes: held }),
    ...(bounds !== undefined && isLonger ? obtainingErrors(after, bounds) : []),
    ...(bounds !== undefined && !isDeepStrictEqual(storedLimits(row.limits), storedLimits(after.limits))
      ? limitsErrors(row, bounds)
      : []),
    ...(change.defaults === undefined ? [] : defaultsErrors(change.defaults, row, maker)),
  ];
};

/**
 * Validates a change of a key. The maker of the change may leave the key its scopes, but add only scopes of its own; the same
 * applies to the time at which the key expires and to its defaults. A key of a workspace cannot change limits that apply to
 * itself.
 */
export const validateUpdate = (body: KeyUpdateBody, row: KeyRow, maker: Maker, facts: UpdateFacts): Partial<KeyRow> => {
  refuse(updateErrors(body, row, facts));
  const change = toChange(body, row, facts);
  refuseForbidden(changeErrors(body, row, change, maker));
  return change;
};

const transitionErrors = (ms: number): readonly Problem[] =>
  Number.isInteger(ms) && ms >= minTransitionMs && ms <= greatestTransitionMs
    ? []
    : [
        problem(
          ['key_transition_period_ms'],
          `The previous key cannot stay valid for ${ms} milliseconds.`,
          `Write whole milliseconds, ${minTransitionMs} (half an hour) to ${greatestTransitionMs} (a year).`,
        ),
      ];

const afterRotation = (rotation: string | null, now: number): string | null => {
  const { rotation_period }: RotationPolicy = rotation === null ? {} : fromJson(rotation);
  return rotation_period === undefined ? null : JSON.stringify(scheduled({ rotation_period }, now));
};

/** Validates a rotation. Its caller receives the new key, and so must have everything that the key has. */
export const validateRotation = (body: KeyRotationBody, row: KeyRow, maker: Maker, now: number): Partial<KeyRow> => {
  const { key_transition_period_ms: ms = minTransitionMs } = body;
  refuse([
    ...revokedErrors(row),
    ...(isExpired(row, now)
      ? [problem([], 'This key has expired.', 'Update expires_at first, or create a new key.')]
      : []),
    ...transitionErrors(ms),
  ]);
  const lacking = [
    ...scopeErrors({ scopes: heldScopes(row), workspace: row.workspace_id ?? undefined }, maker),
    ...(maker.bounds === undefined ? [] : obtainingErrors(row, maker.bounds)),
  ];
  refuseForbidden(
    lacking.map(({ message }) =>
      problem([], `Whoever rotates a key gets it. ${message}`, 'Use a key that may do all that this one may.'),
    ),
  );
  return { previous_until: now + ms, rotation: afterRotation(row.rotation, now) };
};
