import type { Json } from '../../../schema/json.ts';
import { defineRoute } from '../../sdk/define-route.ts';
import type { ParameterSchema } from '../../sdk/from-schema.ts';
import type { AnyRouteRow } from '../../sdk/route-row.ts';
import { acting } from '../saved/acting.ts';
import { refuseZeros } from '../saved/refuse-zeros.ts';
import { createOrganisationService, type OrganisationView, type PlaceParts } from './organisation-service.ts';
import { configSchema, jwtSchema, metadataSchema } from './settings-schemas.ts';

const settings = {
  type: 'object',
  description: 'What requests of the organisation have if its workspaces do not say it. What is absent stays.',
  properties: {
    metadata: metadataSchema,
    config: configSchema,
    jwt: jwtSchema,
  },
} as const;

const body = { type: 'object', properties: { name: { type: 'string' }, settings } } as const;

const organisation: ParameterSchema = {
  type: 'object',
  required: ['object', 'id', 'name', 'settings', 'created_at', 'last_updated_at'],
  properties: {
    object: { const: 'organisation' },
    id: { type: 'string' },
    name: { type: 'string' },
    settings,
    created_at: { type: 'string', format: 'date-time' },
    last_updated_at: {
      type: 'string',
      format: 'date-time',
      description: 'When it last changed, or a workspace of it did.',
    },
  },
};

const shown = (view: OrganisationView) => ({ status: 200, body: { ...view } satisfies Json });

/** The routes of the caller's own organisation. */
export const organisationRoutes = (parts: PlaceParts): readonly AnyRouteRow[] => {
  const service = createOrganisationService(parts);
  return [
    defineRoute({
      method: 'GET',
      path: '/organisation',
      operationId: 'get_organisation',
      summary: 'Your organisation.',
      scope: 'organisation.read',
      replies: { 200: organisation },
      handle: async (_, context) => shown(await service.get(acting(context, 'organisation.read'))),
    }),
    defineRoute({
      method: 'PUT',
      path: '/organisation',
      operationId: 'update_organisation',
      summary: 'Changes your organisation: what is absent stays, what is null is taken away.',
      scope: 'organisation.update',
      body,
      replies: { 200: organisation },
      handle: async ({ body: given }, context) => {
        refuseZeros(given);
        return shown(await service.update(acting(context, 'organisation.update'), context.principal, given));
      },
    }),
  ];
};
