import type { JSONWebKeySet } from 'jose';
import type { Json, JsonObject } from '../../../../schema/json.ts';
import type { FromSchema } from '../../../sdk/from-schema.ts';
import { type CheckServices, defineGuardrail, fail, type Guardrail } from '../../../sdk/guardrail.ts';
import { serviceUrlFaults } from '../service-url.ts';
import { bearerToken } from './bearer-token.ts';
import { claimFaults, claimJudge } from './claim-rules.ts';
import { FreshKeys } from './fresh-keys.ts';
import { introspect } from './introspect.ts';
import { jwtParameters } from './jwt-parameters.ts';
import type { TokenReader } from './token-reader.ts';
import { type SignatureRules, verifySignature } from './verify-signature.ts';

type Parameters = FromSchema<typeof jwtParameters>;

/** A key set in a config is part of the plan. */
const keyFaults = (keys: readonly JsonObject[]): readonly string[] =>
  keys.some(({ d, k }) => d !== undefined || k !== undefined)
    ? ['"jwks" has a private or a shared key. Give the public keys only.']
    : [];

const keysOf = ({ jwks, jwksUri, cacheMaxAge }: Parameters, services: CheckServices): SignatureRules['keys'] => {
  if (jwks !== undefined) return () => jwks as Json as unknown as JSONWebKeySet;
  const keys = new FreshKeys({ url: jwksUri ?? '', maxAgeMs: cacheMaxAge * 1000, services });
  return (knows, tenant) => keys.get(knows, tenant);
};

const readerOf = (parameters: Parameters, services: CheckServices): TokenReader => {
  const { introspectEndpoint, algorithms, clockTolerance, maxTokenAge } = parameters;
  if (introspectEndpoint === undefined) {
    const { timers } = services;
    return verifySignature({ keys: keysOf(parameters, services), algorithms, clockTolerance, maxTokenAge, timers });
  }
  return introspect({
    url: introspectEndpoint,
    contentType: parameters.introspectContentType,
    authorization: parameters.introspectAuthorization,
    cacheMaxAgeS: parameters.introspectCacheMaxAge,
    clockTolerance,
    services,
  });
};

/**
 * The request must bring a token that its issuer signed, or calls active, with the claims that are wanted. It throws where
 * the issuer cannot be asked.
 */
export const jwt: Guardrail = defineGuardrail({
  id: 'default.jwt',
  phases: ['input'],
  parameters: jwtParameters,
  faults({ jwks, jwksUri, introspectEndpoint, claimValues, headerPayloadMatch }) {
    const sources = [jwks, jwksUri, introspectEndpoint].filter((source) => source !== undefined);
    return [
      ...(sources.length === 1
        ? []
        : ['Give one of "jwks", "jwksUri" and "introspectEndpoint", and no other of them.']),
      ...keyFaults(jwks?.keys ?? []),
      ...serviceUrlFaults('jwksUri', jwksUri),
      ...serviceUrlFaults('introspectEndpoint', introspectEndpoint),
      ...claimFaults(claimValues),
      ...(introspectEndpoint !== undefined && headerPayloadMatch.length > 0
        ? ['A token that is introspected has no header to compare. Remove "headerPayloadMatch".']
        : []),
    ];
  },
  create(parameters, services) {
    const { headerKey } = parameters;
    const readToken = readerOf(parameters, services);
    const wrongIn = claimJudge(parameters);
    return async ({ request, cancellation, tenant }) => {
      const token = bearerToken(request.headers, headerKey);
      if (token === undefined) return fail(`The header "${headerKey}" has no token.`);
      const read = await readToken(token, { cancellation, tenant });
      if ('refused' in read) return fail(read.refused);
      const wrong = wrongIn(read.header, read.claims);
      const names = [...new Set(Object.values(wrong).flat())];
      if (names.length === 0) return { pass: true, data: { explanation: 'The token is valid.' } };
      return {
        pass: false,
        data: { explanation: `The token is valid, but these claims are not as wanted: ${names.join(', ')}.`, ...wrong },
      };
    };
  },
});
