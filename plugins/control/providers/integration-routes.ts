import { defineRoute } from '../../sdk/define-route.ts';
import type { KeyScope } from '../../sdk/exchange.ts';
import type { AnyRouteRow, RouteContext } from '../../sdk/route-row.ts';
import type { ControlParts } from '../control-parts.ts';
import { ownLimitMembers } from '../policies/limit-members.ts';
import { slugSchema } from '../saved/new-slug.ts';
import { pageSchema } from '../saved/paging.ts';
import { emptyReply, listOf, listReply, nothingSchema, ok, orNull } from '../saved/replies.ts';
import { resolveWorkspace } from '../saved/request-scope.ts';
import { slugParams } from '../saved/slug-params.ts';
import { destinationProperties } from './destination-body.ts';
import { createIntegrationService, type IntegrationCaller } from './integration-service.ts';
import { doneReply, doneSchema, integrationSchema } from './provider-replies.ts';

const name = { type: 'string', minLength: 1, maxLength: 255 } as const;
const model = {
  type: 'object',
  required: ['slug', 'enabled'],
  properties: {
    slug: name,
    enabled: { type: 'boolean', description: 'Whether it may be called.' },
    is_custom: { type: 'boolean' },
    is_finetune: { type: 'boolean' },
    base_model_slug: name,
    pricing_config: {
      type: 'object',
      additionalProperties: true,
      description:
        'Prices in US cents for one unit, as { pay_as_you_go: { request_token: { price } } }, likewise batch_config; fixed_cost; and multiplier, which without prices multiplies the public ones.',
    },
  },
} as const;

const models = { type: 'array', maxItems: 10_000, items: model } as const;
const allow_all_models = { type: 'boolean', description: 'Whether models that are not listed may be called.' } as const;
const workspaces = {
  type: 'array',
  items: { type: 'string' },
  description: 'The ids or slugs of the workspaces that may use it; null: all.',
} as const;

const workspace_limits = {
  type: 'array',
  maxItems: 1000,
  description: 'What the providers of single workspaces may use together, in place of what there is.',
  items: {
    type: 'object',
    required: ['workspace_id'],
    properties: { workspace_id: { type: 'string', description: 'An id or a slug.' }, ...ownLimitMembers },
  },
} as const;

const grants = {
  models,
  allow_all_models,
  workspaces: orNull(workspaces),
  workspace_limits: orNull(workspace_limits),
} as const;

const newBody = {
  type: 'object',
  required: ['name', 'provider'],
  properties: { name, slug: slugSchema, ...grants, ...destinationProperties },
} as const;

const updateBody = { type: 'object', properties: { name, ...grants, ...destinationProperties } } as const;

const modelsBody = { type: 'object', required: ['models'], properties: { models, allow_all_models } } as const;

const modelsReply = {
  title: 'IntegrationModels',
  type: 'object',
  required: ['models', 'allow_all_models'],
  properties: { models: { type: 'array', items: model }, allow_all_models },
} as const;

const asking = (context: RouteContext, scope: KeyScope): IntegrationCaller => ({
  ...resolveWorkspace(context, scope),
  caller: context.principal,
});

/** The routes of what the providers of an organisation's workspaces share. */
export const integrationRoutes = (parts: ControlParts): readonly AnyRouteRow[] => {
  const service = createIntegrationService(parts);
  return [
    defineRoute({
      method: 'POST',
      path: '/integrations',
      operationId: 'create_integration',
      summary: 'Saves an integration: a credential that providers of several workspaces use.',
      scope: 'integrations.create',
      idempotent: true,
      body: newBody,
      replies: { 200: doneSchema },
      handle: async ({ body }, context) =>
        doneReply(await service.create(asking(context, 'integrations.create'), body)),
    }),
    defineRoute({
      method: 'GET',
      path: '/integrations',
      operationId: 'list_integrations',
      summary: 'The integrations of the organisation that the key may use, the newest first.',
      scope: 'integrations.list',
      query: pageSchema,
      replies: { 200: listOf(integrationSchema) },
      handle: async ({ query }, context) => {
        const { total, data } = await service.list(asking(context, 'integrations.list'), query);
        return listReply(total, data);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/integrations/{slug}',
      operationId: 'get_integration',
      summary: 'An integration, with placeholders for its secrets.',
      scope: 'integrations.read',
      params: slugParams,
      replies: { 200: integrationSchema },
      handle: async ({ params: { slug } }, context) =>
        ok(await service.get(asking(context, 'integrations.read'), slug)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/integrations/{slug}',
      operationId: 'update_integration',
      summary: 'Changes an integration; what the body leaves out stays.',
      scope: 'integrations.update',
      params: slugParams,
      body: updateBody,
      replies: { 200: doneSchema },
      handle: async ({ params: { slug }, body }, context) =>
        doneReply(await service.update(asking(context, 'integrations.update'), slug, body)),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/integrations/{slug}',
      operationId: 'delete_integration',
      summary: 'Deletes an integration that has no providers.',
      scope: 'integrations.delete',
      params: slugParams,
      replies: { 200: nothingSchema },
      handle: async ({ params: { slug } }, context) => {
        await service.remove(asking(context, 'integrations.delete'), slug);
        return emptyReply;
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/integrations/{slug}/models',
      operationId: 'get_integration_models',
      summary: 'The models of an integration.',
      scope: 'integrations.read',
      params: slugParams,
      replies: { 200: modelsReply },
      handle: async ({ params: { slug } }, context) =>
        ok(await service.models(asking(context, 'integrations.read'), slug)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/integrations/{slug}/models',
      operationId: 'update_integration_models',
      summary: 'Replaces the list of the models of an integration.',
      scope: 'integrations.update',
      params: slugParams,
      body: modelsBody,
      replies: { 200: modelsReply },
      handle: async ({ params: { slug }, body }, context) =>
        ok(await service.setModels(asking(context, 'integrations.update'), slug, body)),
    }),
  ];
};
