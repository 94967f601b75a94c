import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import { slugParams } from '../../catalog/destinations/destination-body.ts';
import { guardrailSchemas } from '../../catalog/guardrails/guardrails.ts';
import { providers, virtualKeys } from '../../catalog/providers/providers.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { objectSchema, ok, orNull, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import type { Scope } from '../../kernel/requests/scopes.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { Resource, ResourceParts } from '../../kernel/resource/define-resource.ts';
import { resourceCaller } from '../../kernel/resource/resource-routes.ts';
import { ResourceService } from '../../kernel/resource/resource-service.ts';
import { inTurn } from './trial-rate.ts';
import type { GuardrailTrialBody } from './try-guardrail.ts';

const providerReply = titled(
  'ProviderTrial',
  objectSchema({
    object: { const: 'provider-trial' },
    outcome: {
      type: 'string',
      enum: ['accepted', 'refused', 'failed', 'untested'],
      description:
        'accepted: the provider returned its list of models; refused: it refuses the credential; failed: there was no such response; untested: it has no list of models that is free of charge.',
    },
    status: orNull({ type: 'integer', description: 'The status of the response of the provider.' }),
    message: { type: 'string', description: 'One sentence.' },
    hint: orNull({ type: 'string', description: 'What to do.' }),
    duration_ms: { type: 'integer', description: 'Milliseconds.' },
    models: { type: 'array', items: text, description: 'The names of its models, at most the first 1,000.' },
  }),
);

const providerTrialRoute = (resource: Resource, parts: ResourceParts & ControlParts): ControlRoute => {
  const service = new ResourceService(resource, parts);
  const scope = resource.scopes.update;
  return {
    method: 'POST',
    path: `${resource.path}/{slug}/test`,
    operationId: `test_${resource.noun.replaceAll(' ', '_')}`,
    summary: `Tests the credential of a ${resource.noun} by requesting the list of its provider's models.`,
    scope,
    params: slugParams,
    replies: { 200: providerReply },
    changesNothing: () => true,
    async handle({ params }, context) {
      const caller = resourceCaller(context, scope);
      const row = await service.get({ caller, name: String(params.slug) });
      const { tenant } = caller;
      const started = parts.now();
      const claimant = { what: 'credentials', tenant, cancellation: context.cancellation };
      const trial = await inTurn(parts, claimant, async () => {
        const { tryProvider } = await import('./try-provider.ts');
        return tryProvider(parts, { slug: String(row.slug), tenant, context });
      });
      return ok({ object: 'provider-trial', ...trial, duration_ms: Math.max(0, parts.now() - started) });
    },
  };
};

const maxText = 100_000;

const checkReply = objectSchema({
  id: text,
  verdict: { type: 'boolean' },
  transformed: { type: 'boolean', description: 'Whether it changed the text.' },
  execution_time: { type: 'number', description: 'Milliseconds.' },
  data: { description: 'The details that the check gives about its verdict.' },
  error: textOrNull,
});

const guardrailReply = titled(
  'GuardrailTrial',
  objectSchema({
    object: { const: 'guardrail-trial' },
    passed: { type: 'boolean', description: 'Whether all checks passed.' },
    denied: { type: 'boolean', description: 'Whether a request would be refused.' },
    text: orNull({ type: 'string', description: 'The text that would be passed on; null if it is refused.' }),
    changed: { type: 'boolean', description: 'Whether checks changed the text.' },
    guardrails: {
      type: 'array',
      description: 'The results of the guardrail, and of the default guardrails of the workspace.',
      items: objectSchema({
        id: text,
        verdict: { type: 'boolean' },
        deny: { type: 'boolean' },
        execution_time: { type: 'number', description: 'Milliseconds.' },
        checks: { type: 'array', items: checkReply },
      }),
    },
  }),
);

const guardrailBody = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string', minLength: 1, maxLength: maxText, description: 'The text to judge.' },
    as: {
      type: 'string',
      enum: ['request', 'answer'],
      default: 'request',
      description: 'Whether the text is judged as a request or as an answer.',
    },
    guardrail: { type: 'string', minLength: 1, maxLength: 255, description: 'The slug of a saved guardrail.' },
    ...guardrailSchemas,
  },
} as const satisfies ParameterSchema;

const guardrailScope: Scope = 'guardrails.read';

/** Checks may call models, and services that cost money, so only callers that may send requests can try them. */
const spendingScope: Scope = 'completions.write';

const guardrailTrialRoute = (parts: ControlParts): ControlRoute =>
  defineRoute({
    method: 'POST',
    path: '/guardrails/try',
    operationId: 'try_guardrail',
    summary:
      'Judges a text with the checks of a guardrail, saved or not. Also requires the scope completions.write, because checks may call models.',
    scope: guardrailScope,
    body: guardrailBody,
    replies: { 200: guardrailReply, default: { type: 'object', additionalProperties: true } },
    handle: async ({ body }, context: RouteContext) => {
      const { tenant } = resolveWorkspace(context, guardrailScope);
      if (context.principal.scopes?.has(spendingScope) !== true)
        throw gatewayError('missing-scope', { scope: spendingScope });
      const { tryGuardrail } = await import('./try-guardrail.ts');
      const claimant = { what: 'guardrails', tenant, cancellation: context.cancellation };
      return inTurn(parts, claimant, () =>
        tryGuardrail(parts, { body: body as unknown as GuardrailTrialBody, tenant, context }),
      );
    },
  });

/** Creates the routes that try what is saved, or is about to be. They change nothing. */
export const trialRoutes = (parts: ResourceParts & ControlParts): readonly ControlRoute[] => [
  providerTrialRoute(providers, parts),
  providerTrialRoute(virtualKeys, parts),
  guardrailTrialRoute(parts),
];
