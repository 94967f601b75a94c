import type { Target } from '../../../schema/plan/plan.ts';

/** A target as messages name it: `@slug`, or the id of its provider. */
export const targetName = ({ from, id }: Target): string => {
  if (from.kind === 'saved') return `@${from.slug}`;
  return from.kind === 'inline' ? from.provider : id;
};
