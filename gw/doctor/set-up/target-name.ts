import type { Target } from '../../../schema/plan/plan.ts';

/** Returns the name of a target in messages: `@slug`, or the id of its provider. */
export const targetName = ({ from, id }: Target): string => {
  if (from.kind === 'saved') return `@${from.slug}`;
  return from.kind === 'inline' ? from.provider : id;
};
