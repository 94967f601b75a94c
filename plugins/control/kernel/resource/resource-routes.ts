import type { JsonObject } from '../../../../schema/json.ts';
import { defineRoute } from '../../../sdk/define-route.ts';
import type { TenantId } from '../../../sdk/exchange.ts';
import type { ParameterSchema } from '../../../sdk/from-schema.ts';
import type { AnyRouteRow, JsonReply, RouteContext } from '../../../sdk/route-row.ts';
import type { ControlParts } from '../../control-parts.ts';
import { acting } from '../../saved/acting.ts';
import { pageSchema } from '../../saved/paging.ts';
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
  textOrNull,
  titled,
} from '../../saved/replies.ts';
import { toSeconds } from '../../saved/to-seconds.ts';
import type { Resource, Verb } from './define-resource.ts';
import type { Member } from './member.ts';
import { etagOf, readIfMatch } from './precondition.ts';
import { afterSchema, resourcePage } from './resource-page.ts';
import type { ResourceRow } from './resource-queries.ts';
import { createResourceService, type NamedRecord, type ResourceBody } from './resource-service.ts';

const mapMembers = <Value>(
  { members }: Resource,
  map: (member: Member, name: string) => Value | undefined,
): { readonly [name: string]: Value } => {
  const mapped = Object.entries(members).map(([name, member]) => [name, map(member, name)] as const);
  return Object.fromEntries(mapped.filter((entry): entry is [string, Value & {}] => entry[1] !== undefined));
};

const requiredMembers = ({ members }: Resource): readonly string[] =>
  Object.keys(members).filter((name) => members[name]?.presence === 'required');

const newBody = (resource: Resource): ParameterSchema => ({
  type: 'object',
  required: requiredMembers(resource),
  properties: mapMembers(resource, ({ schema }) => schema),
});

/** A resource of one member has nothing else to change: a body without it is a mistake. */
const changeBody = (resource: Resource): ParameterSchema => ({
  type: 'object',
  ...(Object.keys(resource.members).length === 1 ? { required: requiredMembers(resource) } : {}),
  properties: mapMembers(resource, ({ schema, presence }) => {
    if (presence === 'fixed') return undefined;
    return presence === 'optional' ? { anyOf: [schema, { type: 'null' }] } : schema;
  }),
});

const typeName = (noun: string): string => noun.replaceAll(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());

const snake = (words: string): string => words.replaceAll(' ', '_');

const recordSchema = (resource: Resource): ParameterSchema =>
  titled(
    typeName(resource.noun),
    recordOf({
      object: { const: snake(resource.noun) },
      id: text,
      ...mapMembers(resource, ({ presence }) => (presence === 'optional' ? textOrNull : text)),
      workspace_id: text,
      created_at: seconds,
      last_updated_at: seconds,
    }),
  );

const toRecord = (resource: Resource, row: ResourceRow): JsonObject => ({
  object: snake(resource.noun),
  id: row.id,
  ...mapMembers(resource, (_, name) => row[name]),
  workspace_id: row.workspace_id,
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});

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

/** The five routes of a resource. */
export const resourceRoutes = (
  resource: Resource,
  parts: Pick<ControlParts, 'store' | 'now'>,
): readonly AnyRouteRow[] => {
  const { noun, plural, path, scopes, summaries: summary } = resource;
  const service = createResourceService(resource, parts);
  const schema = recordSchema(resource);
  const tenantOf = (context: RouteContext, verb: Verb): TenantId => acting(context, scopes[verb]).tenant;
  const named = (context: RouteContext, verb: Verb, name: string): NamedRecord => ({
    tenant: tenantOf(context, verb),
    name,
    precondition: readIfMatch(context.headers),
  });
  const record = (row: ResourceRow): JsonReply => ({
    ...ok(toRecord(resource, row)),
    headers: ['etag', etagOf(row)],
  });
  /** What the validator has seen to be members with texts. */
  const bodyOf = (body: unknown): ResourceBody => {
    refuseZeros(body as JsonObject);
    return body as ResourceBody;
  };
  return [
    defineRoute({
      method: 'POST',
      path,
      operationId: `create_${snake(noun)}`,
      summary: summary.create,
      scope: scopes.create,
      idempotent: true,
      body: newBody(resource),
      replies: { 200: schema },
      handle: async ({ body }, context) => record(await service.create(tenantOf(context, 'create'), bodyOf(body))),
    }),
    defineRoute({
      method: 'GET',
      path,
      operationId: `list_${snake(plural)}`,
      summary: summary.list,
      scope: scopes.list,
      query: listQuery,
      replies: { 200: listOf(schema) },
      handle: async ({ query }, context) => {
        refuseZeros(query, 'query');
        const { total, rows } = await service.list(tenantOf(context, 'list'), resourcePage(query));
        return listReply(
          total,
          rows.map((row) => toRecord(resource, row)),
        );
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/{id}`,
      operationId: `get_${snake(noun)}`,
      summary: summary.get,
      scope: scopes.get,
      replies: { 200: schema },
      handle: async ({ params: { id } }, context) =>
        record(await service.get({ tenant: tenantOf(context, 'get'), name: id })),
    }),
    defineRoute({
      method: 'PUT',
      path: `${path}/{id}`,
      operationId: `update_${snake(noun)}`,
      summary: summary.update,
      scope: scopes.update,
      headers: ifMatch,
      body: changeBody(resource),
      replies: { 200: schema },
      handle: async ({ params: { id }, body }, context) =>
        record(await service.update(named(context, 'update', id), bodyOf(body))),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{id}`,
      operationId: `delete_${snake(noun)}`,
      summary: summary.delete,
      scope: scopes.delete,
      headers: ifMatch,
      replies: { 200: nothingSchema },
      handle: async ({ params: { id } }, context) => {
        await service.remove(named(context, 'delete', id));
        return emptyReply;
      },
    }),
  ];
};
