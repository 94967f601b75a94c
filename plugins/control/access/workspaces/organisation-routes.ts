import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { rejectNulCharacters } from '../../kernel/requests/reject-nul-characters.ts';
import { objectSchema, ok, text, titled } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import { createOrganisationService, type OrganisationParts } from './organisation-service.ts';
import { configSchema, guardrailsSchema, judgedTurnsSchema, jwtSchema, metadataSchema } from './settings-schemas.ts';

const settings = {
  type: 'object',
  description: 'What requests of the organisation have if its workspaces do not say it. What is absent stays.',
  properties: {
    metadata: metadataSchema,
    config: configSchema,
    input_guardrails: guardrailsSchema,
    output_guardrails: guardrailsSchema,
    judged_turns: judgedTurnsSchema,
    jwt: jwtSchema,
  },
} as const;

const body = { type: 'object', properties: { name: { type: 'string' }, settings } } as const;

const time: ParameterSchema = { type: 'string', format: 'date-time' };

const organisation = titled(
  'Organisation',
  objectSchema({
    object: { const: 'organisation' },
    ...{ id: text, name: text },
    settings,
    created_at: time,
    last_updated_at: { ...time, description: 'When it last changed, or a workspace of it did.' },
  }),
);

/** The routes of the caller's own organisation. */
export const organisationRoutes = (parts: OrganisationParts): readonly ControlRoute[] => {
  const service = createOrganisationService(parts);
  return [
    defineRoute({
      method: 'GET',
      path: '/organisation',
      operationId: 'get_organisation',
      summary: 'Your organisation.',
      scope: 'organisation.read',
      replies: { 200: organisation },
      handle: async (_, context) => ok(await service.get(resolveWorkspace(context, 'organisation.read'))),
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
        rejectNulCharacters(given);
        return ok(await service.update(resolveWorkspace(context, 'organisation.update'), context.principal, given));
      },
    }),
  ];
};
