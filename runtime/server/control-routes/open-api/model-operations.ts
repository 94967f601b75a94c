import type { ClientRoute, Dialect, DialectDeclaration, LazyDialect } from '../../../../plugins/sdk/dialect.ts';
import type { Member } from '../../../../plugins/sdk/members.ts';
import type { Plugin } from '../../../../plugins/sdk/plugin.ts';
import { belowBase } from '../../../../plugins/sdk/route-path.ts';
import { errorReport } from '../../../../schema/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json.ts';
import { callerHeaderReferences, callerHeaders } from './caller-headers.ts';
import { memberSchema } from './member-schema.ts';
import { describeStatus, traceId } from './responses.ts';
import type { SchemaComponents } from './schema-components.ts';
import { modelsTag } from './tags.ts';
import { toPascalCase } from './to-pascal-case.ts';

/** The endpoints of dialects, with what they alone refer to. */
export interface ModelOperations {
  readonly operations: readonly (readonly [path: string, method: string, operation: JsonObject])[];
  /** The schemas of requests to those that are served by routes, by path. */
  readonly bodies: ReadonlyMap<string, JsonObject>;
  readonly parameters: JsonObject;
  readonly headers: JsonObject;
}

/** What the gateway itself answers a request to a model with, beside a provider's own answers. */
const errorStatuses = [400, 401, 403, 404, 408, 412, 413, 429, 446, 500, 501, 502, 503] as const;

const answerHeaders: Readonly<Record<string, string>> = {
  'x-gw-provider': 'The provider that answered.',
  'x-gw-last-used-option-index': 'The place in the config of the target that answered.',
  'x-gw-retry-attempt-count': 'How often that target was asked again; -1 where every retry failed.',
  'x-gw-cache-status': 'Whether the answer is from a cache.',
  'x-gw-plan': 'The name and the hash of the plan of the request.',
};

const headerName = (name: string): string => toPascalCase(name.replace(/^x-gw-/, ''));

const headerComponents = (): JsonObject =>
  Object.fromEntries(
    Object.entries(answerHeaders).map(([name, description]): [string, Json] => [
      headerName(name),
      { description, schema: { type: 'string' } },
    ]),
  );

const headerReferences: JsonObject = {
  ...traceId,
  ...Object.fromEntries(
    Object.keys(answerHeaders).map((name) => [name, { $ref: `#/components/headers/${headerName(name)}` }]),
  ),
};

/** The schema of values such as this one. */
const schemaOfExample = (value: Json): JsonObject => {
  if (value === null) return {};
  if (Array.isArray(value)) return { type: 'array', items: {} };
  if (!isJsonObject(value)) return { type: typeof value };
  const properties = Object.entries(value).map(([name, each]): [string, Json] => [name, schemaOfExample(each)]);
  return {
    type: 'object',
    required: Object.keys(value),
    properties: Object.fromEntries(properties),
    additionalProperties: true,
  };
};

const anyObject: JsonObject = { type: 'object', additionalProperties: true };

/** The schemas of a dialect; each is a component of the document once it is asked for. */
interface DialectSchemas {
  readonly request: () => JsonObject;
  readonly answer: () => JsonObject;
  readonly error: () => JsonObject;
}

const schemasOf = ({ id, members, encodeError }: Dialect, { placeAs }: SchemaComponents): DialectSchemas => {
  const name = toPascalCase(id);
  const table = (what: string, member: Member | undefined): JsonObject =>
    member === undefined ? anyObject : placeAs(name + what, memberSchema(member));
  return {
    request: () => table('Request', members?.request),
    answer: () => table('Answer', members?.answer),
    error: () => placeAs(`${name}Error`, schemaOfExample(encodeError(errorReport('overloaded', {})))),
  };
};

const streamTypes: Readonly<Record<string, string>> = { 'aws-eventstream': 'application/vnd.amazon.eventstream' };

const answerContent = (route: ClientRoute, dialect: DialectDeclaration, schema: JsonObject): JsonObject => {
  const { stream } = route;
  const type = streamTypes[dialect.framing ?? ''] ?? 'text/event-stream';
  return {
    ...(stream === true ? {} : { 'application/json': { schema } }),
    ...(stream === false || dialect.operation === 'embed' ? {} : { [type]: { schema: { type: 'string' } } }),
  };
};

const operationId = ({ path, operationId: own }: ClientRoute): string =>
  own ?? path.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '');

const operationOf = (route: ClientRoute, dialect: DialectDeclaration, schemas: DialectSchemas): JsonObject => {
  const { path, summary } = route;
  const content = answerContent(route, dialect, schemas.answer());
  const model = { name: 'model', in: 'path', required: true, description: 'The model.', schema: { type: 'string' } };
  const answers = [200, 246].map((status): [string, Json] => [
    String(status),
    { description: describeStatus(String(status)), headers: headerReferences, content },
  ]);
  const error = schemas.error();
  const errors = [...errorStatuses.map(String), 'default'].map((status): [string, Json] => [
    status,
    {
      description: describeStatus(status),
      headers: traceId,
      content: { 'application/json': { schema: error } },
    },
  ]);
  return {
    operationId: operationId(route),
    tags: [modelsTag],
    summary: summary ?? `A request to a model in the form of ${dialect.id}.`,
    description: 'The plan of the request says which provider answers; the answer is in the form of this endpoint.',
    'x-gw-dialect': dialect.id,
    // Client libraries bring their version themselves; below the gateway's own base the same path is served too.
    ...(/^\/v\d/.test(path) ? { servers: [{ url: '/' }] } : {}),
    parameters: [...(path.includes('{model}') ? [model] : []), ...callerHeaderReferences],
    requestBody: { required: true, content: { 'application/json': { schema: schemas.request() } } },
    responses: Object.fromEntries([...answers, ...errors]),
  };
};

const whole = async (dialect: Dialect | LazyDialect): Promise<Dialect> =>
  'load' in dialect ? dialect.load() : dialect;

/** Routes without those that are another spelling of an earlier one, such as a path without its version. */
const spelledOnce = (routes: readonly ClientRoute[]): readonly ClientRoute[] =>
  routes.filter(({ path }, at) => !routes.slice(0, at).some((other) => other.path.endsWith(path)));

/**
 * The operations of the endpoints that clients of the dialects of these plugins use. Those that are `served` by routes are
 * described by these, and only the bodies of their requests are described here.
 */
export const modelOperations = async (
  plugins: readonly Plugin[],
  { components, served }: { readonly components: SchemaComponents; readonly served: ReadonlySet<string> },
): Promise<ModelOperations> => {
  const dialects = await Promise.all(plugins.flatMap(({ dialects: declared = [] }) => declared.map(whole)));
  const routes = dialects.flatMap((dialect) => {
    const schemas = schemasOf(dialect, components);
    return spelledOnce(dialect.routes ?? []).map((route) => ({ dialect, schemas, route, path: belowBase(route.path) }));
  });
  const isServed = (path: string): boolean => served.has(`POST ${path}`);
  const own = routes.filter(({ path }) => !isServed(path));
  const bodies = routes.filter(({ path }) => isServed(path));
  return {
    operations: own.map(
      ({ path, route, dialect, schemas }) => [path, 'POST', operationOf(route, dialect, schemas)] as const,
    ),
    bodies: new Map(bodies.map(({ path, schemas }) => [path, schemas.request()])),
    parameters: routes.length === 0 ? {} : callerHeaders(),
    headers: own.length === 0 ? {} : headerComponents(),
  };
};
