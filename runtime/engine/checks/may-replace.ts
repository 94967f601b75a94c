import type { CheckCall } from '../../../schema/plan/plan.ts';
import type { Names } from '../plugins/names.ts';
import { asked } from './asked.ts';

/** Whether a check says that it may replace what it judges. */
export const mayReplace = ({ check, parameters }: CheckCall, findGuardrail: Names['check']): boolean => {
  const guardrail = findGuardrail(check);
  return guardrail?.rewrites !== undefined && asked(() => guardrail.rewrites?.(parameters)) !== false;
};
