import { isTexts, type JsonObject } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { Guardrail } from './guardrail.ts';

/** A plugin that was not type-checked may give anything, of which timers and messages would be made. */
const timeoutErrors = (timeoutMs: unknown): readonly string[] =>
  timeoutMs === undefined || (Number.isInteger(timeoutMs) && Number(timeoutMs) >= 1)
    ? []
    : ['Its "timeoutMs" gives something else than a whole number of milliseconds from 1. Correct the plugin.'];

/**
 * Lists what a check finds wrong with parameters that fit its schema; that it throws, where the compiler asks it, is an
 * error, and so is that it says what nobody can use.
 */
export const parameterErrors = (guardrail: Guardrail, own: JsonObject): readonly string[] => {
  try {
    const errors: unknown = guardrail.faults?.(own) ?? [];
    if (!isTexts(errors)) return ['Its "faults" gives something else than a list of sentences. Correct the plugin.'];
    if (errors.length > 0) return errors;
    guardrail.retries?.(own);
    return timeoutErrors(guardrail.timeoutMs?.(own));
  } catch (error) {
    return [errorText(error)];
  }
};
