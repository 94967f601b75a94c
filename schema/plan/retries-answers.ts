import { findStage } from './find-stage.ts';
import { hookMayDeny } from './may-deny.ts';
import type { CheckCall, CheckHook, LeafNode } from './plan.ts';

/** A hook as far as it says whether answers may be retried for it. */
export interface RetryingHook extends Pick<CheckHook, 'async'> {
  readonly checks: readonly Pick<CheckCall, 'retries'>[];
}

/** Whether hooks may ask for one more attempt at an answer. Those in the background may not. */
export const retriesAnswers = (hooks: readonly RetryingHook[]): boolean =>
  hooks.some(({ async, checks }) => !async && checks.some(({ retries }) => retries === true));

/** A hook as far as it says whether streams wait for it. */
export type HoldingHook = RetryingHook & Pick<CheckHook, 'type' | 'deny'>;

/**
 * Whether output hooks may deny or change an answer, or ask for another one: of a stream a client then gets only what was
 * judged.
 */
export const hooksHoldStreams = (hooks: readonly HoldingHook[]): boolean =>
  retriesAnswers(hooks) || hooks.some((hook) => hookMayDeny(hook) || (!hook.async && hook.type === 'mutator'));

/** The same of the output checks of a leaf. */
export const holdsStreams = (leaf: LeafNode): boolean =>
  hooksHoldStreams(findStage(leaf, 'output-checks')?.hooks ?? []);
