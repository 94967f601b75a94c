import type { JsonObject } from '../../../../schema/json/json.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { asked } from '../../../sdk/guardrail/asked.ts';
import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { parameterErrors } from '../../../sdk/guardrail/parameter-errors.ts';
import type { DescribedParameters } from '../protocol/protocol.ts';

/** Describes a check with its parameters. A throw has the same meaning as in the gateway's process. */
export const describeParameters = (guardrail: Guardrail, parameters: JsonObject): DescribedParameters => {
  const parts = asked(() => guardrail.parts?.(parameters));
  const timeoutMs = asked(() => guardrail.timeoutMs?.(parameters));
  return {
    faults: parameterErrors(guardrail, parameters),
    ...(parts === undefined ? {} : { parts }),
    // If a check does not answer, the strictest answer is assumed.
    rewrites: guardrail.rewrites !== undefined && asked(() => guardrail.rewrites?.(parameters)) !== false,
    retries: asked(() => guardrail.retries?.(parameters)) === true,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
};

/** Returns why a check cannot be created, without errors if it can. */
export const describeCreation = (create: () => unknown): DescribedParameters => {
  try {
    create();
    return { faults: [] };
  } catch (error) {
    return { faults: [errorText(error)] };
  }
};
