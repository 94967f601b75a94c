import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../sdk/guardrail/lazy-guardrail.ts';
import { serviceUrlErrors } from '../service-url.ts';
import { claimErrors } from './claim-rules.ts';
import { jwtParameters } from './jwt-parameters.ts';

/** A key set in a config is part of the plan. */
const keyErrors = (keys: readonly JsonObject[]): readonly string[] =>
  keys.some(({ d, k }) => d !== undefined || k !== undefined)
    ? ['"jwks" contains a private or shared key. Include only public keys.']
    : [];

/**
 * The request must have a token that its issuer signed or reports as active, with the required claims. Throws if the issuer
 * cannot be reached.
 */
export const jwt: Guardrail = defineLazyGuardrail({
  id: 'default.jwt',
  phases: ['input'],
  parameters: jwtParameters,
  faults({ jwks, jwksUri, introspectEndpoint, claimValues, headerPayloadMatch }) {
    const sources = [jwks, jwksUri, introspectEndpoint].filter((source) => source !== undefined);
    return [
      ...(sources.length === 1 ? [] : ['Set exactly one of "jwks", "jwksUri" and "introspectEndpoint".']),
      ...keyErrors(jwks?.keys ?? []),
      ...serviceUrlErrors('jwksUri', jwksUri),
      ...serviceUrlErrors('introspectEndpoint', introspectEndpoint),
      ...claimErrors(claimValues),
      ...(introspectEndpoint !== undefined && headerPayloadMatch.length > 0
        ? ['An introspected token has no header to compare. Remove "headerPayloadMatch".']
        : []),
    ];
  },
  load: async () => (await import('./jwt-check.ts')).jwtCheck,
});
