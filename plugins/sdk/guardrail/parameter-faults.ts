import type { JsonObject } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { Guardrail } from './guardrail.ts';

/**
 * Lists what a check finds wrong with parameters that fit its schema; that it throws, where the compiler asks it, is a
 * fault.
 */
export const parameterFaults = (guardrail: Guardrail, own: JsonObject): readonly string[] => {
  try {
    const faults = guardrail.faults?.(own) ?? [];
    if (faults.length > 0) return faults;
    guardrail.retries?.(own);
    guardrail.timeoutMs?.(own);
    return [];
  } catch (error) {
    return [errorText(error)];
  }
};
