/** The parameters of `default.jwt`. */
export const jwtParameters = {
  type: 'object',
  properties: {
    jwks: {
      type: 'object',
      required: ['keys'],
      properties: { keys: { type: 'array', items: { type: 'object', additionalProperties: true }, minItems: 1 } },
      description: 'The public keys of the issuer.',
    },
    jwksUri: { type: 'string', format: 'uri', description: "The URL of the issuer's public keys." },
    introspectEndpoint: {
      type: 'string',
      format: 'uri',
      description: "The issuer's endpoint for token introspection.",
    },
    introspectContentType: {
      enum: ['application/x-www-form-urlencoded', 'application/json'],
      default: 'application/x-www-form-urlencoded',
      description: 'The form in which the token is sent to the endpoint.',
    },
    introspectAuthorization: {
      type: 'string',
      format: 'secret',
      description: 'The header "authorization" for the endpoint: "${env:INTROSPECTION}".',
    },
    introspectCacheMaxAge: {
      type: 'integer',
      minimum: 0,
      maximum: 86_400,
      default: 0,
      description: 'Seconds for which the answer for an active token is cached.',
    },
    headerKey: {
      type: 'string',
      pattern: '^[A-Za-z0-9-]+$',
      default: 'Authorization',
      description: 'The request header that contains the token.',
    },
    // A shared secret must not be in a JWKS, so algorithms that use one are not offered.
    algorithms: {
      type: 'array',
      items: {
        enum: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
      },
      minItems: 1,
      default: ['RS256'],
      description: 'The algorithms with which a token may be signed.',
    },
    cacheMaxAge: {
      type: 'integer',
      minimum: 1,
      maximum: 2_592_000,
      default: 86_400,
      description: 'Seconds for which keys are cached.',
    },
    clockTolerance: { type: 'integer', minimum: 0, maximum: 3600, default: 5, description: 'Seconds.' },
    maxTokenAge: {
      type: 'string',
      pattern: '^[1-9][0-9]{0,6}[smhdw]$',
      default: '1d',
      description: 'The maximum age of a token: 30m, 12h, 1d.',
    },
    requiredClaims: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'Claims that a token must have.',
    },
    claimValues: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['values'],
        properties: {
          values: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
          matchType: { enum: ['exact', 'contains', 'containsAll', 'regex'], default: 'exact' },
        },
      },
      default: {},
      description: 'The values that claims may have, by claim name.',
    },
    headerPayloadMatch: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'Members that must be present and equal in the header and the claims of a token.',
    },
  },
} as const;
