import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { JsonReply, RouteContext, RouteInput } from '../../../sdk/route/route-row.ts';
import { resolveNamedWorkspace } from '../records/records.ts';
import { searchedPage, searchedPageSchema } from '../records/search.ts';
import type { ControlRoute } from '../requests/control-route.ts';
import { shownWarnings, warningMembers } from '../requests/diagnostic-problems.ts';
import { dryRunQuery, isDryRun } from '../requests/dry-run.ts';
import { etagSchema, ifMatchSchema, readIfMatch, withEtag } from '../requests/precondition.ts';
import { rejectNulCharacters } from '../requests/refusals.ts';
import { emptyReply, listReply, nothingSchema, objectSchema, ok, text, titled } from '../requests/replies.ts';
import { resolveWorkspace } from '../requests/request-scope.ts';
import type { Scope } from '../requests/scopes.ts';
import { compareRoute } from './compare-route.ts';
import { type Answer, type Resource, type ResourceParts, snake, type Verb } from './define-resource.ts';
import type { ResourceCaller } from './ownership.ts';
import { newBodySchema, resourceReplies, toNames, updateBodySchema } from './resource-schemas.ts';
import { ResourceService, type WrittenRecord } from './resource-service.ts';

const nameIn = ({ params }: RouteInput): string => String(Object.values(params)[0]);

/** Returns the body, which the validator has checked to be an object. */
const toBody = ({ body }: RouteInput): JsonObject => body as JsonObject;

/** Finds the caller and its workspace. Throws the `GatewayError` `missing-scope` for keys of the gateway file. */
export const resourceCaller = (context: RouteContext, scope: Scope): ResourceCaller => ({
  ...resolveWorkspace(context, scope),
  reach: context.principal.reach,
});

const triedSchema = titled(
  'DryRun',
  objectSchema(
    { secrets: { type: 'array', items: text, description: 'The places of the secrets that would be sealed.' } },
    warningMembers,
  ),
);

const orTried = (schema: ParameterSchema): ParameterSchema => ({
  anyOf: [schema, triedSchema],
  description: 'What was saved; with dry_run, what saving would seal.',
});

/** Creates the routes of a resource: five, and one to compare secrets if it has any. */
export const resourceRoutes = (resource: Resource, parts: ResourceParts): readonly ControlRoute[] => {
  const { noun, plural, path, scopes, params, answers, summaries: summary, searched, secrets, maxBytes } = resource;
  const limits = maxBytes === undefined ? {} : { maxBytes };
  const service = new ResourceService(resource, parts);
  const schemas = resourceReplies(resource);
  const onePath = `${path}/{${Object.keys(params.properties)[0]}}` as const;

  const toCaller = (context: RouteContext, verb: Verb): ResourceCaller => resourceCaller(context, scopes[verb]);
  const reply = async (
    caller: ResourceCaller,
    { row, warnings }: WrittenRecord,
    answer: Answer,
  ): Promise<JsonReply> => {
    const [record = {}] = answer === 'record' ? await service.show(caller, [row]) : [toNames(resource, row, answer)];
    return withEtag(row, { ...record, ...(answer === 'reference' && shownWarnings(warnings)) });
  };
  const tryOut = async (...tried: Parameters<ResourceService['tryOut']>): Promise<JsonReply> => {
    const { secrets: places, warnings } = await service.tryOut(...tried);
    return ok({ secrets: places, ...shownWarnings(warnings) });
  };

  return [
    {
      method: 'POST',
      path,
      operationId: `create_${snake(noun)}`,
      summary: summary.create,
      scope: scopes.create,
      idempotent: true,
      ...limits,
      query: dryRunQuery,
      body: newBodySchema(resource),
      replies: { 200: orTried(schemas.created) },
      replyHeaders: etagSchema,
      changesNothing: isDryRun,
      async handle(input, context) {
        const { scope, workspace_id, ...body } = toBody(input);
        const caller = toCaller(context, 'create');
        const where = await resolveNamedWorkspace(caller, workspace_id as string | undefined, {
          store: parts.store,
          principal: context.principal,
        });
        const owned = scope as 'workspace' | 'organisation' | undefined;
        if (isDryRun(input)) return tryOut({ ...caller, ...where }, body, { scope: owned });
        return reply(caller, await service.create({ ...caller, ...where }, body, owned), answers.create);
      },
    },
    defineRoute({
      method: 'GET',
      path,
      operationId: `list_${snake(plural)}`,
      summary: summary.list,
      scope: scopes.list,
      query: searchedPageSchema(plural, searched),
      replies: { 200: schemas.list },
      handle: async ({ query }, context) => {
        rejectNulCharacters(query, 'query');
        const caller = toCaller(context, 'list');
        const { total, rows } = await service.list(caller, searchedPage(query));
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
      replyHeaders: etagSchema,
      async handle(input, context) {
        const caller = toCaller(context, 'get');
        return reply(caller, { row: await service.get({ caller, name: nameIn(input) }), warnings: [] }, 'record');
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
      ...limits,
      query: dryRunQuery,
      body: updateBodySchema(resource),
      replies: { 200: orTried(schemas.updated) },
      replyHeaders: etagSchema,
      changesNothing: isDryRun,
      async handle(input, context) {
        const precondition = readIfMatch(context.headers);
        const caller = toCaller(context, 'update');
        const named = { caller, name: nameIn(input), precondition };
        if (isDryRun(input)) return tryOut(caller, toBody(input), { named });
        return reply(caller, await service.update(named, toBody(input)), answers.update);
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
    ...(secrets === undefined
      ? []
      : [
          compareRoute(
            { noun, path, params, operationId: `compare_${snake(noun)}`, scope: scopes.update },
            parts,
            async (name, context) => {
              const row = await service.get({ caller: toCaller(context, 'update'), name });
              return { id: row.id, secrets: await secrets(row) };
            },
          ),
        ]),
  ];
};
