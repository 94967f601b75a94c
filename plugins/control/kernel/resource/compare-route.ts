import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import type { ControlRoute } from '../requests/control-route.ts';
import { objectSchema, ok, titled } from '../requests/replies.ts';
import type { Scope } from '../requests/scopes.ts';
import { compareSecrets, maxCompared, type StoredSecret } from '../secrets/compare-secrets.ts';
import type { ControlParts } from './control-parts.ts';

const body = {
  type: 'object',
  required: ['values'],
  properties: {
    values: {
      type: 'object',
      minProperties: 1,
      maxProperties: maxCompared,
      additionalProperties: { type: 'string', maxLength: 65_536 },
      description: 'The values to compare, by the places of the placeholders in the record: `/credential/api_key`.',
    },
  },
} as const;

const reply = titled(
  'SecretComparison',
  objectSchema({
    object: { const: 'secret-comparison' },
    equal: {
      type: 'object',
      additionalProperties: { type: 'boolean' },
      description: 'For each place, whether the stored secret equals the value that was sent.',
    },
  }),
);

/** A record with secrets, as requests name it. */
export interface SecretsOfRecord {
  readonly id: string;
  readonly secrets: readonly StoredSecret[];
}

/**
 * Creates the route by which a caller that may change a record learns whether its secrets match the values at hand. If a value
 * does not match, the comparison is written to the audit log; after too many of these, comparisons are refused.
 */
export const compareRoute = (
  {
    noun,
    path,
    params,
    operationId,
    scope,
  }: {
    readonly noun: string;
    readonly path: `/${string}`;
    readonly params: { readonly type: 'object'; readonly properties: { readonly [name: string]: ParameterSchema } };
    readonly operationId: string;
    readonly scope: Scope;
  },
  parts: Pick<ControlParts, 'sealer' | 'allowances'>,
  find: (name: string, context: RouteContext) => Promise<SecretsOfRecord>,
): ControlRoute => ({
  method: 'POST',
  path: `${path}/{${Object.keys(params.properties)[0]}}/compare`,
  params,
  operationId,
  summary: `Compares the secrets of the ${noun} with the values in the request.`,
  scope,
  body,
  replies: { 200: reply },
  changesNothing: (_, answer) => {
    // `handle` returns no other body. A refused request has none, and counts as a change.
    const { equal } = (answer?.body ?? { equal: { none: false } }) as {
      readonly equal: Readonly<Record<string, boolean>>;
    };
    return Object.values(equal).every(Boolean);
  },
  async handle({ params: names, body: sent }, context) {
    const record = await find(String(Object.values(names)[0]), context);
    const { values } = sent as { readonly values: Readonly<Record<string, string>> };
    const equal = await compareSecrets(parts, { ...record, noun }, values);
    return ok({ object: 'secret-comparison', equal });
  },
});
