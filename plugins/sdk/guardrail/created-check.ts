import type { JsonObject } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import { CodeNotLoaded } from '../loading/when-loaded.ts';
import type { Credential } from '../provider/provider.ts';
import { withoutSecrets } from '../provider/without-secrets.ts';
import type { Check, CheckServices, Guardrail } from './guardrail.ts';

interface CheckMaterial {
  readonly parameters: JsonObject;
  readonly services: CheckServices;
  /** The parameters that are secrets. */
  readonly secrets?: Credential;
}

const callCreate = (guardrail: Guardrail, { parameters, services, secrets = {} }: CheckMaterial): unknown => {
  try {
    return guardrail.create(parameters, services);
  } catch (error) {
    if (error instanceof CodeNotLoaded) throw error;
    const why = toSentence(withoutSecrets(errorText(error), secrets));
    throw new Error(`"create" of the check "${guardrail.id}" throws: ${why}`, { cause: error });
  }
};

/**
 * Creates a check. Throws an `Error` that names the check if its `create` throws, and a `TypeError` if `create` does not return a
 * function, for example because it is async: every call of such a check would fail, and let through what it should deny.
 */
export const createdCheck = (guardrail: Guardrail, material: CheckMaterial): Check => {
  const check = callCreate(guardrail, material);
  if (typeof check === 'function') return check as Check;
  throw new TypeError(
    `"create" of the check "${guardrail.id}" must return a function, and must not be async: use defineLazyGuardrail to load code late.`,
  );
};
