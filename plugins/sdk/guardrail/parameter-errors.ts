import { isTexts, type JsonObject } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { Guardrail } from './guardrail.ts';

/** Plugins that were not type-checked might return anything here, and the value is used for timers and messages. */
const timeoutErrors = (timeoutMs: unknown): readonly string[] =>
  timeoutMs === undefined || (Number.isInteger(timeoutMs) && Number(timeoutMs) >= 1)
    ? []
    : ['Its "timeoutMs" must return a whole number of milliseconds, at least 1. Correct the plugin.'];

/**
 * Returns the errors that a check finds in parameters that match its schema. It is also an error if the check throws when the
 * compiler calls it, or if it returns an unusable value.
 */
export const parameterErrors = (guardrail: Guardrail, own: JsonObject): readonly string[] => {
  try {
    const errors: unknown = guardrail.faults?.(own) ?? [];
    if (!isTexts(errors)) return ['Its "faults" must return a list of sentences. Correct the plugin.'];
    if (errors.length > 0) return errors;
    guardrail.retries?.(own);
    return timeoutErrors(guardrail.timeoutMs?.(own));
  } catch (error) {
    return [errorText(error)];
  }
};
