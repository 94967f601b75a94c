import type { ParameterSchema } from '../../../plugins/sdk/from-schema.ts';
import { closeSchema } from '../../../plugins/sdk/parameters/close-schema.ts';
import { sdkVersion } from '../../../plugins/sdk/plugin.ts';
import { base } from '../../../plugins/sdk/route-path.ts';
import type { AnyRouteRow, RouteReplies, RouteReplyForm } from '../../../plugins/sdk/route-row.ts';
import { paramNames } from '../../../plugins/sdk/route-row-fault.ts';
import type { Json, JsonObject } from '../../../schema/json.ts';
import { STATUS_CODES } from '../../node-http.ts';
import { inputSchemas } from './compile-rows.ts';
import { errorSchema } from './error-schema.ts';
import { isOptionalBody } from './read-body.ts';

type Reply = RouteReplies[number];

/** What the gateway holds a value against: the schema, closed. */
const written = (schema: ParameterSchema): JsonObject => ({ ...(closeSchema(schema) as JsonObject) });

const contentOf = (form: RouteReplyForm): JsonObject => {
  if (form === 'bytes') return { 'application/octet-stream': {} };
  if (form === 'lines') return { 'application/x-ndjson': { schema: { type: 'string' } } };
  if (form === 'events') return { 'text/event-stream': { schema: { type: 'string' } } };
  // What is answered may gain members: readers must ignore those that they do not know.
  return { 'application/json': { schema: { ...(form as JsonObject) } } };
};

const content = (reply: Reply): JsonObject => {
  const forms = Array.isArray(reply) ? reply : [reply];
  return Object.assign({}, ...forms.map(contentOf));
};

const traceId: JsonObject = { 'x-gw-trace-id': { $ref: '#/components/headers/TraceId' } };

const describe = (status: string): string =>
  status === 'default' ? 'Any other answer' : (STATUS_CODES[status] ?? 'An answer');

const replyOf = (status: string, reply: Reply): JsonObject => ({
  description: describe(status),
  headers: traceId,
  ...(status === '204' ? {} : { content: content(reply) }),
});

const errorReply = (status: number): JsonObject => ({
  description: describe(String(status)),
  headers: {
    ...traceId,
    ...(status === 405
      ? { allow: { description: 'The methods that the path accepts.', schema: { type: 'string' } } }
      : {}),
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

/** The errors of the gateway itself that a route can answer with. */
const errorStatuses = ({ body, method, path, replies }: AnyRouteRow): readonly number[] => {
  const own = Object.keys(replies).map(Number);
  const reads = body ? [408, 413, 415] : [];
  // A body can name things too.
  const named = body || paramNames(path).length > 0 ? [404] : [];
  const contended = method === 'GET' ? [] : [409];
  return [400, 401, 403, ...named, ...contended, ...reads, 405, 429, 431, 500, 503].filter(
    (status) => !own.includes(status),
  );
};

const parameter = (where: 'path' | 'query', name: string, schema: ParameterSchema, required: boolean): JsonObject => {
  const { description, ...rest } = schema;
  return {
    name,
    in: where,
    required: where === 'path' || required,
    ...(description === undefined ? {} : { description }),
    schema: written(rest),
  };
};

const parametersOf = (row: AnyRouteRow): readonly JsonObject[] => {
  const { params, query } = inputSchemas(row);
  const of = (where: 'path' | 'query', { properties = {}, required = [] }: ParameterSchema): readonly JsonObject[] =>
    Object.entries(properties).map(([name, schema]) => parameter(where, name, schema, required.includes(name)));
  const repeats = row.idempotent === true ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [];
  return [...of('path', params), ...of('query', query), ...repeats];
};

const requestBodyOf = (row: AnyRouteRow): JsonObject => {
  if (row.body === 'bytes') return { requestBody: { required: true, content: { '*/*': {} } } };
  // What it has is for whoever it is passed on to.
  if (row.body === 'whole') return { requestBody: { required: true, content: { 'application/json': {} } } };
  const { body } = inputSchemas(row);
  if (body === undefined) return {};
  const content = { 'application/json': { schema: written(body) } };
  return { requestBody: { required: !isOptionalBody(body), content } };
};

const operation = (row: AnyRouteRow): JsonObject => {
  const { operationId, summary, scope, shared = false, replies } = row;
  const parameters = parametersOf(row);
  const responses: [string, Json][] = [
    ...Object.entries(replies).map(([status, reply]): [string, Json] => [status, replyOf(status, reply as Reply)]),
    ...errorStatuses(row).map((status): [string, Json] => [String(status), errorReply(status)]),
  ];
  return {
    operationId,
    summary,
    ...(scope === null ? {} : { description: `The key needs the scope \`${scope}\`.`, 'x-gw-scope': scope }),
    // What a provider answers is passed on, and so is all else that is asked for below the first segment of the path.
    ...(shared ? { 'x-gw-shared': true } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(row),
    responses: Object.fromEntries(responses.toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
};

const pathsOf = (rows: readonly AnyRouteRow[]): JsonObject =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(rows, ({ path }) => path),
      ([path, alike]): [string, Json] => [
        path,
        Object.fromEntries(alike.map((row) => [row.method.toLowerCase(), operation(row)])),
      ],
    ),
  );

/** The OpenAPI 3.1 document of these routes. */
export const openApi = (rows: readonly AnyRouteRow[]): JsonObject => ({
  openapi: '3.1.1',
  info: { title: 'Gatewright: the control plane', version: sdkVersion },
  servers: [{ url: base }],
  security: [{ serviceKey: [] }, { bearer: [] }],
  paths: pathsOf(rows),
  components: {
    securitySchemes: {
      serviceKey: { type: 'apiKey', in: 'header', name: 'x-gw-api-key' },
      bearer: { type: 'http', scheme: 'bearer' },
    },
    headers: {
      TraceId: { description: "The id of the request in the gateway's log.", schema: { type: 'string' } },
    },
    parameters: {
      IdempotencyKey: {
        name: 'idempotency-key',
        in: 'header',
        description: 'A request that is sent again with the same key within 24 hours is not run again.',
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
    },
    schemas: { Error: errorSchema },
  },
});
