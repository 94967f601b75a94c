import type { CheckCall } from '../../../schema/plan/plan.ts';
import { asked } from './asked.ts';
import type { Guardrail } from './guardrail.ts';

/** Looks up a check by its name, in any case. */
export type FindGuardrail = (id: string) => Guardrail | undefined;

/** Whether a check declares that it may replace what it judges. */
export const mayReplace = (
  { check, parameters }: Pick<CheckCall, 'check' | 'parameters'>,
  findGuardrail: FindGuardrail,
): boolean => {
  const guardrail = findGuardrail(check);
  return guardrail?.rewrites !== undefined && asked(() => guardrail.rewrites?.(parameters)) !== false;
};
