import { findStage } from './find-stage.ts';
import type { LeafNode } from './plan.ts';
import { retriesAnswers } from './retries-answers.ts';

/**
 * Whether the output checks of a leaf may deny or change an answer, or ask for another one: of its streams a client gets only
 * what was judged.
 */
export const holdsStreams = (leaf: LeafNode): boolean => {
  const hooks = findStage(leaf, 'output-checks')?.hooks ?? [];
  return (
    retriesAnswers(hooks) ||
    hooks.some(({ async, type, deny }) => !async && (type === 'mutator' || deny.onFail || deny.onSuccess))
  );
};
