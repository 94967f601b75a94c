import { findStage } from './find-stage.ts';
import type { CheckHook, LeafNode } from './plan.ts';
import { type RetryingHook, retriesAnswers } from './retries-answers.ts';

const hookMayDeny = ({ async, deny }: CheckHook): boolean => !async && (deny.onFail || deny.onSuccess);

/** Whether a leaf has a check that may deny a request or its answer. */
export const mayDeny = ({ stages }: LeafNode): boolean =>
  stages.some(
    (stage) => (stage.kind === 'input-checks' || stage.kind === 'output-checks') && stage.hooks.some(hookMayDeny),
  );

/** A hook as far as it says whether streams wait for it. */
export type HoldingHook = RetryingHook & Pick<CheckHook, 'type' | 'deny'>;

/**
 * Whether output hooks may deny or change an answer, or ask for another one: of a stream a client then gets only what was
 * judged.
 */
export const hooksHoldStreams = (hooks: readonly HoldingHook[]): boolean =>
  retriesAnswers(hooks) ||
  hooks.some(({ async, type, deny }) => !async && (type === 'mutator' || deny.onFail || deny.onSuccess));

/** The same of the output checks of a leaf. */
export const holdsStreams = (leaf: LeafNode): boolean =>
  hooksHoldStreams(findStage(leaf, 'output-checks')?.hooks ?? []);
