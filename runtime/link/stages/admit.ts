import type { LinkContext } from '../context.ts';
import type { LeafStep } from '../leaf-call.ts';

/** Asks the plugins that limit whether a leaf may be tried; their answer stands in for the leaf's. */
export const linkAdmit =
  (inner: LeafStep, { hooks }: LinkContext): LeafStep =>
  async (call) => {
    const answer = await hooks.admit.promise(call.leaf, call.exchange);
    return answer === undefined ? inner(call) : { ...answer, leaf: answer.leaf ?? call.report };
  };
