import type { JsonObject } from '../../../../schema/json.ts';
import { defineRoute } from '../../../sdk/define-route.ts';
import type { ParameterSchema } from '../../../sdk/from-schema.ts';
import type { AnyRouteRow } from '../../../sdk/route-row.ts';
import { pageOf, pageSchema } from '../../saved/paging.ts';
import { refuseZeros } from '../../saved/refuse-zeros.ts';
import {
  emptyReply,
  listOf,
  listReply,
  nothingSchema,
  ok,
  recordOf,
  seconds,
  text,
  titled,
} from '../../saved/replies.ts';
import { toSeconds } from '../../saved/to-seconds.ts';
import type { CollectionRow } from '../../store/tables.ts';
import { callerOf } from '../caller-of.ts';
import type { CollectionService } from './collection-service.ts';

const body = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1, maxLength: 255, description: 'For people.' } },
} as const;

const collectionSchema: ParameterSchema = titled(
  'Collection',
  recordOf({
    object: { const: 'collection' },
    ...{ id: text, name: text, workspace_id: text },
    ...{ created_at: seconds, last_updated_at: seconds },
  }),
);

const collectionView = ({ id, name, workspace_id, created_at, updated_at }: CollectionRow): JsonObject => ({
  ...{ object: 'collection', id, name, workspace_id },
  created_at: toSeconds(created_at),
  last_updated_at: toSeconds(updated_at),
});

/** The routes of collections, which prompts are arranged in. */
export const collectionRoutes = (collections: CollectionService): readonly AnyRouteRow[] => [
  defineRoute({
    method: 'POST',
    path: '/collections',
    operationId: 'create_collection',
    summary: 'Makes a collection, which prompts can belong to.',
    scope: 'prompts.create',
    idempotent: true,
    body,
    replies: { 200: collectionSchema },
    handle: async ({ body: asked }, context) => {
      refuseZeros(asked);
      return ok(collectionView(await collections.create(callerOf(context, 'prompts.create'), asked.name)));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/collections',
    operationId: 'list_collections',
    summary: 'Lists collections, the newest first.',
    scope: 'prompts.list',
    query: pageSchema,
    replies: { 200: listOf(collectionSchema) },
    handle: async ({ query }, context) => {
      const { total, rows } = await collections.list(callerOf(context, 'prompts.list'), pageOf(query));
      return listReply(total, rows.map(collectionView));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/collections/{id}',
    operationId: 'get_collection',
    summary: 'A collection.',
    scope: 'prompts.read',
    replies: { 200: collectionSchema },
    handle: async ({ params: { id } }, context) =>
      ok(collectionView(await collections.get(callerOf(context, 'prompts.read'), id))),
  }),
  defineRoute({
    method: 'PUT',
    path: '/collections/{id}',
    operationId: 'update_collection',
    summary: 'Renames a collection.',
    scope: 'prompts.update',
    body,
    replies: { 200: collectionSchema },
    handle: async ({ params: { id }, body: asked }, context) => {
      refuseZeros(asked);
      return ok(collectionView(await collections.rename(callerOf(context, 'prompts.update'), id, asked.name)));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/collections/{id}',
    operationId: 'delete_collection',
    summary: 'Deletes a collection that has no prompts.',
    scope: 'prompts.delete',
    replies: { 200: nothingSchema },
    handle: async ({ params: { id } }, context) => {
      await collections.remove(callerOf(context, 'prompts.delete'), id);
      return emptyReply;
    },
  }),
];
