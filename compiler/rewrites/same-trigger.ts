import type { StatusRule } from '../../schema/status.ts';

/** Whether two rules speak of the same answers; the order of codes and their repetition say nothing. */
export const sameTrigger = (a: StatusRule, b: StatusRule): boolean => {
  if (a.kind !== 'codes' || b.kind !== 'codes') return a.kind === b.kind;
  return a.codes.every((code) => b.codes.includes(code)) && b.codes.every((code) => a.codes.includes(code));
};
