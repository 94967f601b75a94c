import type { JSONWebKeySet } from 'jose';
import type { Json } from '../../../../schema/json/json.ts';
import { type Check, type CheckServices, fail } from '../../../sdk/guardrail/guardrail.ts';
import type { FromSchema } from '../../../sdk/parameters/from-schema.ts';
import { bearerToken } from './bearer-token.ts';
import { claimJudge } from './claim-rules.ts';
import { FreshKeys } from './fresh-keys.ts';
import { introspect } from './introspect.ts';
import type { jwtParameters } from './jwt-parameters.ts';
import type { TokenReader } from './token-reader.ts';
import { type SignatureRules, verifySignature } from './verify-signature.ts';

type Parameters = FromSchema<typeof jwtParameters>;

const toKeys = ({ jwks, jwksUri, cacheMaxAge }: Parameters, services: CheckServices): SignatureRules['keys'] => {
  if (jwks !== undefined) return () => jwks as Json as unknown as JSONWebKeySet;
  const keys = new FreshKeys({ url: jwksUri ?? '', maxAgeMs: cacheMaxAge * 1000, services });
  return (knows, tenant) => keys.get(knows, tenant);
};

const toReader = (parameters: Parameters, services: CheckServices): TokenReader => {
  const { introspectEndpoint, algorithms, clockTolerance, maxTokenAge } = parameters;
  if (introspectEndpoint === undefined) {
    const { timers } = services;
    return verifySignature({ keys: toKeys(parameters, services), algorithms, clockTolerance, maxTokenAge, timers });
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

/** Reads the token of a request, and compares its claims with the required ones. */
export const jwtCheck = (parameters: Parameters, services: CheckServices): Check => {
  const { headerKey } = parameters;
  const readToken = toReader(parameters, services);
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
      data: { explanation: `The token is valid, but these claims do not match: ${names.join(', ')}.`, ...wrong },
    };
  };
};
