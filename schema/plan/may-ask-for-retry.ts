import { hookMayDeny } from './may-deny.ts';
import type { CheckCall, CheckHook, LeafNode } from './plan.ts';
import { findStage } from './stages.ts';

/** The parts of a hook that decide whether it may ask for another attempt. */
export interface RetryingHook extends Pick<CheckHook, 'async'> {
  readonly checks: readonly Pick<CheckCall, 'retries'>[];
}

/** Whether hooks may ask for one more attempt at a response. Those in the background may not. */
export const mayAskForRetry = (hooks: readonly RetryingHook[]): boolean =>
  hooks.some(({ async, checks }) => !async && checks.some(({ retries }) => retries === true));

/** The parts of a hook that decide whether streams wait for it. */
export type HoldingHook = RetryingHook & Pick<CheckHook, 'type' | 'deny'>;

/**
 * Whether output hooks may deny or change a response, or ask for another one. If so, a client gets only those parts of a stream
 * that were judged.
 */
export const hooksBufferStreams = (hooks: readonly HoldingHook[]): boolean =>
  mayAskForRetry(hooks) || hooks.some((hook) => hookMayDeny(hook) || (!hook.async && hook.type === 'mutator'));

/** The same for the output checks of a leaf. */
export const mustBufferStreams = (leaf: LeafNode): boolean =>
  hooksBufferStreams(findStage(leaf, 'output-checks')?.hooks ?? []);
