import type { JsonObject } from '../../../../schema/json/json.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { parameterErrors } from '../../../sdk/guardrail/parameter-errors.ts';
import type { DescribedParameters } from '../protocol/protocol.ts';

const asked = <Answer>(ask: () => Answer): Answer | undefined => {
  try {
    return ask();
  } catch {
    return undefined;
  }
};

/** Describes a check with its parameters. A throw means what it means in the process of the gateway. */
export const describeParameters = (guardrail: Guardrail, parameters: JsonObject): DescribedParameters => {
  const parts = asked(() => guardrail.parts?.(parameters));
  const timeoutMs = asked(() => guardrail.timeoutMs?.(parameters));
  return {
    faults: parameterErrors(guardrail, parameters),
    ...(parts === undefined ? {} : { parts }),
    // What a check does not say is taken to be the strictest.
    rewrites: guardrail.rewrites !== undefined && asked(() => guardrail.rewrites?.(parameters)) !== false,
    retries: asked(() => guardrail.retries?.(parameters)) === true,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
};

/** Why a check cannot be created; no error if it can. */
export const describeCreation = (create: () => unknown): DescribedParameters => {
  try {
    create();
    return { faults: [] };
  } catch (error) {
    return { faults: [errorText(error)] };
  }
};
