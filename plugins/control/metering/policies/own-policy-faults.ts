import type { Principal } from '../../../sdk/exchange/exchange.ts';
import { readInPolicies } from '../../access/keys/maker-bounds.ts';
import type { LimitPolicy } from '../../kernel/limits/limit-policy.ts';
import { type CallerFacts, isOwnCounter, mayCover } from '../../kernel/limits/policies-of-caller.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';

/** A key of a workspace that changes a policy, and whether any limit is meant for it. */
export interface PolicyChanger extends CallerFacts {
  readonly isLimited: boolean;
}

/** Reads who changes a policy; undefined for callers whom no limit keeps from it: keys of the organisation, and tokens. */
export const readChanger = async (db: Reading, { keyId, reach }: Principal): Promise<PolicyChanger | undefined> => {
  if (keyId === undefined || reach === 'organisation') return undefined;
  const row = await db.selectFrom('keys').selectAll().where('id', '=', keyId).executeTakeFirst();
  if (row === undefined) return undefined;
  const { facts, isLimited } = await readInPolicies(db, row);
  return { ...facts, isLimited };
};

const hint = 'Use a key of the organisation.';

/** What is wrong with a change of a policy: a key that has limits changes none that covers its requests. */
export const ownPolicyFaults = (policy: LimitPolicy, changer: PolicyChanger | undefined): readonly Problem[] =>
  changer?.isLimited === true && mayCover(policy, changer)
    ? [problem([], 'The key that you use has limits, and cannot change a policy that covers its own requests.', hint)]
    : [];

/** What is wrong with setting a counter to 0: it is the one of whoever asks. */
export const ownCounterFaults = (
  policy: LimitPolicy,
  values: readonly string[] | undefined,
  changer: PolicyChanger | undefined,
): readonly Problem[] =>
  changer !== undefined && isOwnCounter(policy, values, changer)
    ? [problem([], 'A key of a workspace cannot reset the counter of its own requests.', hint)]
    : [];
