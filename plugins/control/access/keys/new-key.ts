import { changedLimits, ownLimitsErrors, sharingLimits } from '../../kernel/limits/own-limits.ts';
import { nameErrors, newNameErrors } from '../../kernel/records/name-errors.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { refuse, refuseForbidden } from '../../kernel/requests/refusals.ts';
import { type Granting, scopeErrors } from '../../kernel/requests/scopes.ts';
import type { KeyKind, KeyRow } from '../../kernel/store/tables.ts';
import type { NewKeyBody } from './key-bodies.ts';
import { defaultsFaults, rotationPolicyErrors, scheduled, scopeListErrors, timeErrors, toScopes } from './key-parts.ts';
import type { StoredDefaults } from './key-principal.ts';
import { inheritedDefaults, laterExpiryErrors, looserDefaultsErrors, type MakerBounds } from './maker-bounds.ts';
import { priorityErrors } from './priority-errors.ts';

/** The caller that creates or changes a key. */
export interface Maker extends Granting {
  readonly organisation: string;
  /** The current bounds of its key; absent for the bearer of a token. */
  readonly bounds?: MakerBounds;
}

/** The facts that must be looked up before a new key can be validated. */
export interface NewKeyFacts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /**
   * The id of the workspace that the body names or, if it names none, of the one that the maker acts in; absent if it does not
   * exist.
   */
  readonly workspace: string | undefined;
  /** Whether the config that the body names as a default exists. */
  readonly hasConfig: boolean;
}

/** A new key without its id, its text and its times. */
export type KeyDraft = Pick<
  KeyRow,
  | 'organisation_id'
  | 'workspace_id'
  | 'kind'
  | 'user_id'
  | 'name'
  | 'scopes'
  | 'defaults'
  | 'expires_at'
  | 'rotation'
  | 'limits'
>;

const defaultKind: KeyKind = 'workspace-service';

const workspaceErrors = (body: NewKeyBody, maker: Maker, workspace: string | undefined): readonly Problem[] => {
  if (body.kind === 'organisation')
    return body.workspace_id === undefined
      ? []
      : [
          problem(
            ['workspace_id'],
            'A key of an organisation reaches all of its workspaces.',
            'Leave workspace_id out, or create a key of the kind workspace-service.',
          ),
        ];
  // A caller limited to one workspace learns nothing of others: another workspace is forbidden whether it exists or not.
  if (workspace !== undefined || maker.reach !== 'organisation') return [];
  return [
    problem(
      ['workspace_id'],
      'There is no such workspace in your organisation.',
      'Write the id or the slug of a workspace of your organisation.',
    ),
  ];
};

const userErrors = ({ kind, user_id }: NewKeyBody): readonly Problem[] => {
  if (kind !== 'workspace-user')
    return user_id === undefined
      ? []
      : [
          problem(
            ['user_id'],
            'Only a key of the kind workspace-user is the key of a user.',
            'Leave user_id out, or create a key of the kind workspace-user.',
          ),
        ];
  return user_id !== undefined
    ? nameErrors(['user_id'], user_id)
    : [
        problem(
          ['user_id'],
          'The key of a user needs the id of the user.',
          'Write user_id, or create a key of the kind workspace-service.',
        ),
      ];
};

/** Returns when a new key expires, in milliseconds since the epoch; if the body sets no time, when its maker expires. */
const toExpiry = ({ expires_at }: NewKeyBody, bounds: MakerBounds | undefined): number | null =>
  expires_at === undefined ? (bounds?.expiresAt ?? null) : expires_at * 1000;

/** Lists what the bearer of a token may not grant, because it has no key whose bounds the new key would share. */
export const tokenErrors = (
  defaults: StoredDefaults | undefined,
  { reach }: Maker,
  before?: StoredDefaults,
): readonly Problem[] =>
  reach === 'organisation' || defaults === undefined ? [] : priorityErrors(defaults, undefined, before);

const authorityErrors = (body: NewKeyBody, maker: Maker, workspace: string | undefined): readonly Problem[] => {
  const foreign = body.organisation_id !== undefined && body.organisation_id !== maker.organisation;
  const { bounds } = maker;
  const asked = { scopes: body.scopes, workspace: body.kind === 'organisation' ? undefined : (workspace ?? '') };
  return [
    ...(foreign
      ? [problem(['organisation_id'], 'This key reaches only its own organisation.', 'Leave organisation_id out.')]
      : []),
    ...scopeErrors(asked, maker),
    ...(bounds === undefined
      ? tokenErrors(body.defaults, maker)
      : [
          ...laterExpiryErrors(toExpiry(body, bounds), bounds),
          ...looserDefaultsErrors(inheritedDefaults(body.defaults ?? {}, bounds), bounds),
        ]),
  ];
};

const toProblems = (body: NewKeyBody, maker: Maker, facts: NewKeyFacts): readonly Problem[] => {
  const { now, hasConfig, workspace } = facts;
  const { kind = defaultKind, user_id = null, defaults = {}, expires_at, rotation_policy } = body;
  const ofUser = kind === 'workspace-user';
  return [
    ...newNameErrors(body),
    ...workspaceErrors(body, maker, workspace),
    ...userErrors(body),
    ...scopeListErrors(body.scopes, ofUser),
    ...defaultsFaults(defaults, { hasConfig, userId: ofUser ? user_id : null }),
    ...(expires_at === undefined ? [] : timeErrors(['expires_at'], expires_at, now)),
    ...(rotation_policy === undefined ? [] : rotationPolicyErrors(rotation_policy, now)),
    ...ownLimitsErrors(body),
  ];
};

/**
 * Validates a request for a new key. Throws the `GatewayError` `invalid-input` with all errors, or if there are none, `forbidden`
 * with everything that the maker may not grant.
 */
export const validateNewKey = (body: NewKeyBody, maker: Maker, facts: NewKeyFacts): KeyDraft => {
  refuse(toProblems(body, maker, facts));
  refuseForbidden(authorityErrors(body, maker, facts.workspace));
  const { bounds } = maker;
  const { kind = defaultKind, name, user_id = null, defaults = {}, rotation_policy } = body;
  return {
    organisation_id: maker.organisation,
    workspace_id: kind === 'organisation' ? null : (facts.workspace ?? null),
    kind,
    user_id,
    name,
    scopes: JSON.stringify(toScopes(body.scopes)),
    defaults: JSON.stringify(bounds === undefined ? defaults : inheritedDefaults(defaults, bounds)),
    expires_at: toExpiry(body, bounds),
    rotation: rotation_policy === undefined ? null : JSON.stringify(scheduled(rotation_policy, facts.now)),
    limits: sharingLimits(changedLimits(body, { before: null, now: facts.now }), bounds?.shares ?? []),
  };
};
