import type { JsonObject } from '../../../schema/json/json.ts';
import type { Check, CheckServices, Guardrail } from './guardrail.ts';

/**
 * Creates a check. Throws what `create` throws, and a `TypeError` where it gives no function, as one that is async does: each
 * call of that would fail, and pass what it is to deny.
 */
export const createdCheck = (guardrail: Guardrail, parameters: JsonObject, services: CheckServices): Check => {
  const check: unknown = guardrail.create(parameters, services);
  if (typeof check === 'function') return check as Check;
  throw new TypeError(
    `"create" of the check "${guardrail.id}" gives no function. It may not be async: defineLazyGuardrail loads code late.`,
  );
};
