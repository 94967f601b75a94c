import type { LinkContext } from '../context.ts';
import type { LeafStep } from '../leaf-call.ts';

/** Asks limiting plugins whether a leaf may be tried; their answer, if any, replaces the leaf's. */
export const linkAdmit =
  (inner: LeafStep, { hooks }: LinkContext): LeafStep =>
  async (call) => {
    const answer = await hooks.admit.promise(call.leaf, call.told);
    return answer === undefined ? inner(call) : { ...answer, leaf: answer.leaf ?? call.report };
  };
