import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { ok } from '../../kernel/requests/replies.ts';
import type { ResourceParts } from '../../kernel/resource/define-resource.ts';
import type { ResourceRow } from '../../kernel/resource/resource-queries.ts';
import { resourceCaller } from '../../kernel/resource/resource-routes.ts';
import { ResourceService } from '../../kernel/resource/resource-service.ts';
import type { IntegrationRow } from '../../kernel/store/tables/tables.ts';
import { slugParams } from '../destinations/destination-body.ts';
import { readModels } from './integration-models.ts';
import { integrations, modelMembers } from './integrations.ts';

const modelsReply = {
  title: 'IntegrationModels',
  type: 'object',
  required: ['models', 'allow_all_models'],
  properties: { ...modelMembers, models: { type: 'array', items: modelMembers.models.items } },
} as const;

// A row of the integrations.
const toModels = (row: ResourceRow): object => readModels(row as unknown as IntegrationRow);

/** The routes of the models of an integration, which are read and replaced apart. */
export const integrationModelRoutes = (parts: ResourceParts): readonly ControlRoute[] => {
  const service = new ResourceService(integrations, parts);
  return [
    defineRoute({
      method: 'GET',
      path: '/integrations/{slug}/models',
      operationId: 'get_integration_models',
      summary: 'The models of an integration.',
      scope: 'integrations.read',
      params: slugParams,
      replies: { 200: modelsReply },
      handle: async ({ params: { slug } }, context) => {
        const caller = resourceCaller(context, 'integrations.read');
        return ok(toModels(await service.get({ caller, name: slug })));
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/integrations/{slug}/models',
      operationId: 'update_integration_models',
      summary: 'Replaces the list of the models of an integration.',
      scope: 'integrations.update',
      params: slugParams,
      body: { type: 'object', required: ['models'], properties: modelMembers },
      replies: { 200: modelsReply },
      handle: async ({ params: { slug }, body }, context) => {
        const caller = resourceCaller(context, 'integrations.update');
        return ok(toModels(await service.update({ caller, name: slug }, body)));
      },
    }),
  ];
};
