import type { JsonObject } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { Guardrail } from './guardrail.ts';

/**
 * Lists what a check finds wrong with parameters that fit its schema; that it throws, where the compiler asks it, is a
 * error.
 */
export const parameterErrors = (guardrail: Guardrail, own: JsonObject): readonly string[] => {
  try {
    const errors = guardrail.faults?.(own) ?? [];
    if (errors.length > 0) return errors;
    guardrail.retries?.(own);
    guardrail.timeoutMs?.(own);
    return [];
  } catch (error) {
    return [errorText(error)];
  }
};
