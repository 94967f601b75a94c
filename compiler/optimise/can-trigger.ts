import { isFinalStatus, type StatusRule } from '../../schema/http/status.ts';

/** Whether any answer can meet the rule. */
export const canTrigger = (rule: StatusRule): boolean => rule.kind !== 'codes' || rule.codes.some(isFinalStatus);
