import type { JsonObject } from '../../../../schema/json/json.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { JsonReply, RouteContext, RouteInput } from '../../../sdk/route/route-row.ts';
import { resolveNamedWorkspace, resourcePage, resourcePageSchema } from '../records/records.ts';
import type { ControlRoute } from '../requests/control-route.ts';
import { rejectNulCharacters } from '../requests/refusals.ts';
import { emptyReply, listReply, nothingSchema, ok } from '../requests/replies.ts';
import { resolveWorkspace } from '../requests/request-scope.ts';
import type { Scope } from '../requests/scopes.ts';
import { type Answer, type Resource, type ResourceParts, snake, type Verb } from './define-resource.ts';
import type { ResourceCaller } from './ownership.ts';
import { ifMatchSchema, readIfMatch, toEtag } from './precondition.ts';
import type { ResourceRow } from './resource-queries.ts';
import { changeBodySchema, newBodySchema, resourceReplies, toNames } from './resource-schemas.ts';
import { ResourceService } from './resource-service.ts';

const nameIn = ({ params }: RouteInput): string => String(Object.values(params)[0]);

/** Returns the body, which the validator has seen to be an object. */
const toBody = ({ body }: RouteInput): JsonObject => body as JsonObject;

/** Finds the caller, and its workspace. Throws the `GatewayError` `missing-scope` for keys of the gateway file. */
export const resourceCaller = (context: RouteContext, scope: Scope): ResourceCaller => ({
  ...resolveWorkspace(context, scope),
  reach: context.principal.reach,
});

/** The five routes of a resource. */
export const resourceRoutes = (resource: Resource, parts: ResourceParts): readonly ControlRoute[] => {
  const { noun, plural, path, scopes, params, answers, summaries: summary } = resource;
  const service = new ResourceService(resource, parts);
  const schemas = resourceReplies(resource);
  const onePath = `${path}/{${Object.keys(params.properties)[0]}}` as const;

  const toCaller = (context: RouteContext, verb: Verb): ResourceCaller => resourceCaller(context, scopes[verb]);
  const reply = async (caller: ResourceCaller, row: ResourceRow, answer: Answer): Promise<JsonReply> => {
    const [record = {}] = answer === 'record' ? await service.show(caller, [row]) : [toNames(resource, row, answer)];
    return { ...ok(record), headers: ['etag', toEtag(row)] };
  };

  return [
    {
      method: 'POST',
      path,
      operationId: `create_${snake(noun)}`,
      summary: summary.create,
      scope: scopes.create,
      idempotent: true,
      body: newBodySchema(resource),
      replies: { 200: schemas.created },
      async handle(input, context) {
        const { scope, workspace_id, ...body } = toBody(input);
        const caller = toCaller(context, 'create');
        const where = await resolveNamedWorkspace(caller, workspace_id as string | undefined, {
          store: parts.store,
          principal: context.principal,
        });
        const owned = scope as 'workspace' | 'organisation' | undefined;
        return reply(caller, await service.create({ ...caller, ...where }, body, owned), answers.create);
      },
    },
    defineRoute({
      method: 'GET',
      path,
      operationId: `list_${snake(plural)}`,
      summary: summary.list,
      scope: scopes.list,
      query: resourcePageSchema,
      replies: { 200: schemas.list },
      handle: async ({ query }, context) => {
        rejectNulCharacters(query, 'query');
        const caller = toCaller(context, 'list');
        const { total, rows } = await service.list(caller, resourcePage(query));
        return listReply(total, await service.show(caller, rows, false));
      },
    }),
    {
      method: 'GET',
      path: onePath,
      params,
      operationId: `get_${snake(noun)}`,
      summary: summary.get,
      scope: scopes.get,
      replies: { 200: schemas.record },
      async handle(input, context) {
        const caller = toCaller(context, 'get');
        return reply(caller, await service.get({ caller, name: nameIn(input) }), 'record');
      },
    },
    {
      method: 'PUT',
      path: onePath,
      params,
      operationId: `update_${snake(noun)}`,
      summary: summary.update,
      scope: scopes.update,
      headers: ifMatchSchema,
      body: changeBodySchema(resource),
      replies: { 200: schemas.updated },
      async handle(input, context) {
        const precondition = readIfMatch(context.headers);
        const caller = toCaller(context, 'update');
        const row = await service.update({ caller, name: nameIn(input), precondition }, toBody(input));
        return reply(caller, row, answers.update);
      },
    },
    {
      method: 'DELETE',
      path: onePath,
      params,
      operationId: `delete_${snake(noun)}`,
      summary: summary.delete,
      scope: scopes.delete,
      headers: ifMatchSchema,
      replies: { 200: nothingSchema },
      async handle(input, context) {
        const precondition = readIfMatch(context.headers);
        await service.remove({ caller: toCaller(context, 'delete'), name: nameIn(input), precondition });
        return emptyReply;
      },
    },
  ];
};
