import { defineRoute } from '../../sdk/define-route.ts';
import type { ControlParts } from '../control-parts.ts';
import type { ControlRoute } from '../keys/control-route.ts';
import { ownLimitMembers } from '../policies/limit-members.ts';
import { slugSchema } from '../saved/new-slug.ts';
import { pageSchema } from '../saved/paging.ts';
import { emptyReply, listOf, listReply, nothingSchema, ok, orNull } from '../saved/replies.ts';
import { resolveWorkspace } from '../saved/request-scope.ts';
import { slugParams } from '../saved/slug-params.ts';
import { destinationProperties } from './destination-body.ts';
import { doneReply, doneSchema, providerSchema } from './provider-replies.ts';
import { createProviderService } from './provider-service.ts';

const name = { type: 'string', minLength: 1, maxLength: 255 } as const;
const note = { type: 'string', maxLength: 2000, description: 'A text for people.' } as const;
const expires_at = { type: 'integer', description: 'Until when it can be used, in seconds since the epoch.' } as const;

const newBody = {
  type: 'object',
  required: ['name'],
  properties: {
    ...{ name, slug: slugSchema, note, expires_at },
    integration_id: {
      type: 'string',
      minLength: 1,
      description:
        'The id or slug of the integration whose credential it uses. Without it, it has a provider of its own.',
    },
    ...destinationProperties,
    ...ownLimitMembers,
  },
} as const;

const updateBody = {
  type: 'object',
  properties: {
    ...{ name, note: orNull(note), expires_at: orNull(expires_at) },
    ...destinationProperties,
    ...ownLimitMembers,
  },
} as const;

/** The routes of the providers that configs of a workspace name as `@slug`. */
export const providerRoutes = (parts: ControlParts): readonly ControlRoute[] => {
  const service = createProviderService(parts, 'provider');
  return [
    defineRoute({
      method: 'POST',
      path: '/providers',
      operationId: 'create_provider',
      summary: 'Saves a provider, with the credential of an integration or with its own.',
      scope: 'providers.create',
      idempotent: true,
      body: newBody,
      replies: { 200: doneSchema },
      handle: async ({ body }, context) =>
        doneReply(await service.create(resolveWorkspace(context, 'providers.create'), body)),
    }),
    defineRoute({
      method: 'GET',
      path: '/providers',
      operationId: 'list_providers',
      summary: 'The providers of a workspace, the newest first.',
      scope: 'providers.list',
      query: pageSchema,
      replies: { 200: listOf(providerSchema) },
      handle: async ({ query }, context) => {
        const { total, data } = await service.list(resolveWorkspace(context, 'providers.list'), query);
        return listReply(total, data);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/providers/{slug}',
      operationId: 'get_provider',
      summary: 'A provider, with placeholders for its secrets.',
      scope: 'providers.read',
      params: slugParams,
      replies: { 200: providerSchema },
      handle: async ({ params: { slug } }, context) =>
        ok(await service.get(resolveWorkspace(context, 'providers.read'), slug)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/providers/{slug}',
      operationId: 'update_provider',
      summary: 'Changes a provider; what the body leaves out stays.',
      scope: 'providers.update',
      params: slugParams,
      body: updateBody,
      replies: { 200: doneSchema },
      handle: async ({ params: { slug }, body }, context) =>
        doneReply(await service.update(resolveWorkspace(context, 'providers.update'), slug, body)),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/providers/{slug}',
      operationId: 'delete_provider',
      summary: 'Deletes a provider that no config names.',
      scope: 'providers.delete',
      params: slugParams,
      replies: { 200: nothingSchema },
      handle: async ({ params: { slug } }, context) => {
        await service.remove(resolveWorkspace(context, 'providers.delete'), slug);
        return emptyReply;
      },
    }),
  ];
};
