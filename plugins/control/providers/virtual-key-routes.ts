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

const text = { type: 'string', minLength: 1 } as const;

/** Settings of deployments under the names that the hosted service has for them. */
const deploymentProperties = {
  resourceName: { ...text, description: 'Short for the setting resource_name.' },
  apiVersion: { ...text, description: 'Short for the setting api_version.' },
  deploymentName: { ...text, description: 'Short for the setting deployment_id.' },
  deploymentConfig: {
    type: 'array',
    description: 'Short for the setting deployments.',
    items: {
      type: 'object',
      required: ['apiVersion', 'deploymentName'],
      properties: { apiVersion: text, deploymentName: text, alias: text, is_default: { type: 'boolean' } },
    },
  },
} as const;

const newBody = {
  type: 'object',
  required: ['name', 'provider'],
  properties: {
    ...{ name, slug: slugSchema, note, expires_at },
    ...destinationProperties,
    ...deploymentProperties,
    ...ownLimitMembers,
  },
} as const;

const updateBody = {
  type: 'object',
  properties: {
    name,
    note: orNull(note),
    expires_at: orNull(expires_at),
    ...destinationProperties,
    ...deploymentProperties,
    ...ownLimitMembers,
  },
} as const;

/** The routes of what configs name as `virtual_key`, and requests in `x-gw-virtual-key`. */
export const virtualKeyRoutes = (parts: ControlParts): readonly ControlRoute[] => {
  const service = createProviderService(parts, 'virtual-key');
  return [
    defineRoute({
      method: 'POST',
      path: '/virtual-keys',
      operationId: 'create_virtual_key',
      summary: 'Saves a virtual key: a provider with a credential of its own.',
      scope: 'virtual_keys.create',
      idempotent: true,
      body: newBody,
      replies: { 200: doneSchema },
      handle: async ({ body }, context) =>
        doneReply(await service.create(resolveWorkspace(context, 'virtual_keys.create'), body)),
    }),
    defineRoute({
      method: 'GET',
      path: '/virtual-keys',
      operationId: 'list_virtual_keys',
      summary: 'The virtual keys of a workspace, the newest first.',
      scope: 'virtual_keys.list',
      query: pageSchema,
      replies: { 200: listOf(providerSchema) },
      handle: async ({ query }, context) => {
        const { total, data } = await service.list(resolveWorkspace(context, 'virtual_keys.list'), query);
        return listReply(total, data);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/virtual-keys/{slug}',
      operationId: 'get_virtual_key',
      summary: 'A virtual key, with placeholders for its secrets.',
      scope: 'virtual_keys.read',
      params: slugParams,
      replies: { 200: providerSchema },
      handle: async ({ params: { slug } }, context) =>
        ok(await service.get(resolveWorkspace(context, 'virtual_keys.read'), slug)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/virtual-keys/{slug}',
      operationId: 'update_virtual_key',
      summary: 'Changes a virtual key; what the body leaves out stays.',
      scope: 'virtual_keys.update',
      params: slugParams,
      body: updateBody,
      replies: { 200: doneSchema },
      handle: async ({ params: { slug }, body }, context) =>
        doneReply(await service.update(resolveWorkspace(context, 'virtual_keys.update'), slug, body)),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/virtual-keys/{slug}',
      operationId: 'delete_virtual_key',
      summary: 'Deletes a virtual key that no config names.',
      scope: 'virtual_keys.delete',
      params: slugParams,
      replies: { 200: nothingSchema },
      handle: async ({ params: { slug } }, context) => {
        await service.remove(resolveWorkspace(context, 'virtual_keys.delete'), slug);
        return emptyReply;
      },
    }),
  ];
};
