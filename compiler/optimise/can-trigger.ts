import type { StatusRule } from '../../schema/http/status.ts';

/** Whether any answer can meet the rule: a final status has three digits and is not an interim one. */
export const canTrigger = (rule: StatusRule): boolean =>
  rule.kind !== 'codes' || rule.codes.some((code) => Number.isInteger(code) && code >= 200 && code <= 999);
