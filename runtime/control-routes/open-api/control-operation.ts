import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import type { AnyRouteRow, RouteReplies } from '../../../plugins/sdk/route/route-row.ts';
import { paramNames } from '../../../plugins/sdk/route/route-row-error.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { inputSchemas } from '../input/compile-rows.ts';
import { isOptionalBody } from '../input/read-body.ts';
import { callerHeaderReferences } from './caller-headers.ts';
import { documentedSchema } from './documented-schema.ts';
import { errorReference, toReply } from './responses.ts';
import type { createSchemaComponents } from './schema-components.ts';
import { toTag } from './tags.ts';
import { toPascalCase } from './to-pascal-case.ts';

type Components = ReturnType<typeof createSchemaComponents>;
type Reply = RouteReplies[number];

/** The parts for describing the operation of a row. */
export interface OperationParts {
  readonly components: Components;
  /** The schema of a model request at this path, whose members are its provider's. */
  readonly modelBody?: JsonObject | undefined;
}

/** Returns the statuses of the gateway's own errors that a route can answer with. */
const errorStatuses = ({ body, method, path, replies, headers }: AnyRouteRow): readonly number[] => {
  const own = Object.keys(replies).map(Number);
  const reads = body ? [408, 413, 415] : [];
  const hasName = paramNames(path).length > 0;
  // A body can name things too.
  const named = body || hasName ? [404] : [];
  // A read can fail this way, too, if what it names has lost something that it needs.
  const contended = method !== 'GET' || hasName ? [409] : [];
  const conditional = Object.hasOwn(headers?.properties ?? {}, 'if-match') ? [412] : [];
  return [400, 401, 403, ...named, ...contended, ...reads, 405, ...conditional, 429, 431, 500, 503].filter(
    (status) => !own.includes(status),
  );
};

type Place = 'path' | 'query' | 'header';

const parameter = (where: Place, name: string, schema: ParameterSchema, required: boolean): JsonObject => {
  const { description, ...rest } = schema;
  return {
    name,
    in: where,
    required: where === 'path' || required,
    ...(description === undefined ? {} : { description }),
    schema: documentedSchema(rest),
  };
};

const toParameters = (row: AnyRouteRow, { modelBody }: OperationParts): readonly JsonObject[] => {
  const { params, query } = inputSchemas(row);
  const of = (where: Place, { properties = {}, required = [] }: ParameterSchema): readonly JsonObject[] =>
    Object.entries(properties)
      // Some clients spell `include` as `include[]`.
      .filter(([name]) => !name.endsWith('[]') || !Object.hasOwn(properties, name.slice(0, -2)))
      .map(([name, schema]) => parameter(where, name, schema, required.includes(name)));
  const repeats = row.idempotent === true ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [];
  const calls = modelBody === undefined ? [] : callerHeaderReferences;
  return [...of('path', params), ...of('query', query), ...of('header', row.headers ?? {}), ...calls, ...repeats];
};

const toRequestBody = (row: AnyRouteRow, { components, modelBody = {} }: OperationParts): JsonObject => {
  const { form } = row;
  if (row.body === 'bytes') {
    const content = form === undefined ? { '*/*': {} } : { 'multipart/form-data': { schema: { ...form } } };
    return { requestBody: { required: true, content } };
  }
  // Its members are meant for the provider that it is passed on to.
  if (row.body === 'whole')
    return { requestBody: { required: true, content: { 'application/json': { schema: modelBody } } } };
  const { body } = inputSchemas(row);
  if (body === undefined) return {};
  const schema = components.bodies.placeAs(`${toPascalCase(row.operationId)}Request`, documentedSchema(body));
  return { requestBody: { required: !isOptionalBody(body), content: { 'application/json': { schema } } } };
};

/** Returns the operation of a route in OpenAPI. */
export const controlOperation = (row: AnyRouteRow, parts: OperationParts): JsonObject => {
  const { operationId, summary, scope, shared = false, replies } = row;
  const parameters = toParameters(row, parts);
  const { place, placeAs } = parts.components.replies;
  // A schema that only one status has is named after its operation. The answers of shared routes, which any status may have, have
  // no name.
  const named = (status: string) => (schema: JsonObject) =>
    status !== 'default' && schema.properties !== undefined
      ? placeAs(`${toPascalCase(operationId)}Response`, schema)
      : place(schema);
  const responses: [string, Json][] = [
    ...Object.entries(replies).map(([status, reply]): [string, Json] => [
      status,
      toReply(row, { status, reply: reply as Reply, place: named(status) }),
    ]),
    ...errorStatuses(row).map((status): [string, Json] => [String(status), errorReference(status)]),
  ];
  return {
    operationId,
    tags: [toTag(row.path)],
    summary,
    description: scope === null ? 'Any key may do this.' : `The key needs the scope \`${scope}\`.`,
    ...(scope === null ? {} : { 'x-gw-scope': scope }),
    // A provider's answer is passed on, and so is every other request below the first segment of the path.
    ...(shared ? { 'x-gw-shared': true } : {}),
    // The body is a model request, which its provider checks.
    ...(row.body === 'whole' ? { 'x-gw-body': 'model' } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...toRequestBody(row, parts),
    responses: Object.fromEntries(responses.toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
};

/** Returns the statuses of the errors that these routes can answer with, which are described once. */
export const toErrorStatuses = (rows: readonly AnyRouteRow[]): readonly number[] =>
  [...new Set(rows.flatMap(errorStatuses))].sort((one, other) => one - other);
