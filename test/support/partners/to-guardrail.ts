import { partnerGuardrails } from '../../../plugins/guardrails/partners/partner-guardrails.ts';
import type { Guardrail } from '../../../plugins/sdk/guardrail/guardrail.ts';

/** Returns the partner check with this id. */
export const toGuardrail = (wanted: string): Guardrail => {
  const found = partnerGuardrails.find(({ id }) => id === wanted);
  if (found === undefined) throw new Error(`There is no check ${wanted}.`);
  return found;
};
