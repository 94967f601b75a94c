import type { JsonObject } from '../../../../schema/json.ts';
import { defineRoute } from '../../../sdk/define-route.ts';
import type { AnyRouteRow, JsonReply, RouteContext, RouteInput } from '../../../sdk/route-row.ts';
import { resolveNamedWorkspace } from '../../saved/named-workspace.ts';
import { pageSchema } from '../../saved/paging.ts';
import { rejectNulCharacters } from '../../saved/reject-nul-characters.ts';
import { emptyReply, listReply, nothingSchema, ok } from '../../saved/replies.ts';
import { resolveWorkspace } from '../../saved/request-scope.ts';
import type { Resource, ResourceParts, Verb } from './define-resource.ts';
import type { ResourceCaller } from './ownership.ts';
import { etagOf, readIfMatch } from './precondition.ts';
import { afterSchema, resourcePage } from './resource-page.ts';
import type { ResourceRow } from './resource-queries.ts';
import { changeBodySchema, newBodySchema, resourceReplies, snake, toChanged, toRecord } from './resource-schemas.ts';
import { createResourceService } from './resource-service.ts';

const listQuery = {
  type: 'object',
  properties: { ...pageSchema.properties, after: afterSchema },
} as const;

const ifMatch = {
  type: 'object',
  properties: {
    'if-match': {
      type: 'string',
      description: 'The etag of the record as it was read: where somebody has changed it since, nothing is done.',
    },
  },
} as const;

/** The name of the parameter of paths to one record. */
const pathParameter = ({ members, naming = 'id' }: Resource): string =>
  members[naming]?.presence === 'fixed' ? naming : 'id';

const nameIn = ({ params }: RouteInput): string => String(Object.values(params)[0]);

/** What the validator has seen to be an object. Throws the `GatewayError` `invalid-input` for what no store can keep. */
const bodyOf = ({ body }: RouteInput): JsonObject => {
  rejectNulCharacters(body as JsonObject);
  return body as JsonObject;
};

/** The five routes of a resource. */
export const resourceRoutes = (resource: Resource, parts: ResourceParts): readonly AnyRouteRow[] => {
  const { noun, plural, path, scopes, summaries: summary } = resource;
  const service = createResourceService(resource, parts);
  const schemas = resourceReplies(resource);
  const onePath = `${path}/{${pathParameter(resource)}}` as const;

  const callerOf = (context: RouteContext, verb: Verb): ResourceCaller => ({
    ...resolveWorkspace(context, scopes[verb]),
    reach: context.principal.reach,
  });
  const reply = (body: JsonObject, row: ResourceRow): JsonReply => ({ ...ok(body), headers: ['etag', etagOf(row)] });

  return [
    {
      method: 'POST',
      path,
      operationId: `create_${snake(noun)}`,
      summary: summary.create,
      scope: scopes.create,
      idempotent: true,
      body: newBodySchema(resource),
      replies: { 200: schemas.changed },
      async handle(input, context) {
        const { scope, workspace_id, ...body } = bodyOf(input);
        const caller = callerOf(context, 'create');
        const { principal } = context;
        const where = await resolveNamedWorkspace(caller, workspace_id as string | undefined, {
          store: parts.store,
          principal,
        });
        const row = await service.create(
          { ...caller, ...where },
          body,
          scope as 'workspace' | 'organisation' | undefined,
        );
        return reply(toChanged(resource, row), row);
      },
    },
    defineRoute({
      method: 'GET',
      path,
      operationId: `list_${snake(plural)}`,
      summary: summary.list,
      scope: scopes.list,
      query: listQuery,
      replies: { 200: schemas.list },
      handle: async ({ query }, context) => {
        rejectNulCharacters(query, 'query');
        const { total, rows } = await service.list(callerOf(context, 'list'), resourcePage(query));
        return listReply(
          total,
          rows.map((row) => toRecord(resource, row, false)),
        );
      },
    }),
    {
      method: 'GET',
      path: onePath,
      operationId: `get_${snake(noun)}`,
      summary: summary.get,
      scope: scopes.get,
      replies: { 200: schemas.record },
      async handle(input, context) {
        const row = await service.get({ caller: callerOf(context, 'get'), name: nameIn(input) });
        return reply(toRecord(resource, row), row);
      },
    },
    {
      method: 'PUT',
      path: onePath,
      operationId: `update_${snake(noun)}`,
      summary: summary.update,
      scope: scopes.update,
      headers: ifMatch,
      body: changeBodySchema(resource),
      replies: { 200: schemas.changed },
      async handle(input, context) {
        const precondition = readIfMatch(context.headers);
        const named = { caller: callerOf(context, 'update'), name: nameIn(input), precondition };
        const row = await service.update(named, bodyOf(input));
        return reply(toChanged(resource, row), row);
      },
    },
    {
      method: 'DELETE',
      path: onePath,
      operationId: `delete_${snake(noun)}`,
      summary: summary.delete,
      scope: scopes.delete,
      headers: ifMatch,
      replies: { 200: nothingSchema },
      async handle(input, context) {
        const precondition = readIfMatch(context.headers);
        await service.remove({ caller: callerOf(context, 'delete'), name: nameIn(input), precondition });
        return emptyReply;
      },
    },
  ];
};
