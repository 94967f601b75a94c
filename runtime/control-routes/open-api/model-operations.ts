import type { ClientRoute, ModelList } from '../../../plugins/sdk/dialect/client-route.ts';
import type { Dialect, DialectDeclaration, LazyDialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Member } from '../../../plugins/sdk/dialect/members.ts';
import { operations } from '../../../plugins/sdk/exchange/operations.ts';
import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { belowBase } from '../../../plugins/sdk/route/route-path.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { callerHeaderReferences, callerHeaders } from './caller-headers.ts';
import type { Described } from './described.ts';
import { answerHeaderDescriptions } from './header-descriptions.ts';
import { memberSchema } from './member-schema.ts';
import { describeStatus, traceId } from './responses.ts';
import type { SchemaComponents } from './schema-components.ts';
import { modelsTag } from './tags.ts';
import { toPascalCase } from './to-pascal-case.ts';

/** The endpoints of dialects, and the components that only they refer to. */
export interface ModelOperations {
  readonly operations: readonly Described[];
  /** The schemas of requests to the endpoints that are served by routes, by path. */
  readonly bodies: ReadonlyMap<string, JsonObject>;
  readonly parameters: JsonObject;
  readonly headers: JsonObject;
}

/** The statuses with which the gateway itself answers a model request, in addition to a provider's own answers. */
const errorStatuses = [400, 401, 403, 404, 408, 412, 413, 429, 446, 500, 501, 502, 503] as const;

const answerHeaders: readonly string[] = [
  'x-gw-provider',
  'x-gw-last-used-option-index',
  'x-gw-retry-attempt-count',
  'x-gw-cache-status',
  'x-gw-estimated',
  'x-gw-plan',
];

/** The headers of every answer, including errors, to a client that sends `x-gw-usage: true`. */
const askedHeaders: readonly string[] = ['x-gw-attempts', 'x-gw-overhead-ms'];

const headerName = (name: string): string => toPascalCase(name.replace(/^x-gw-/, ''));

const headerComponents = (): JsonObject =>
  Object.fromEntries(
    [...answerHeaders, ...askedHeaders].map((name): [string, Json] => [
      headerName(name),
      { description: answerHeaderDescriptions[name]?.description ?? '', schema: { type: 'string' } },
    ]),
  );

const references = (headers: readonly string[]): JsonObject =>
  Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${headerName(name)}` }]));

const errorReferences: JsonObject = { ...traceId, ...references(askedHeaders) };

const headerReferences: JsonObject = { ...traceId, ...references(answerHeaders), ...references(askedHeaders) };

/** Returns a schema for values such as this one. */
const schemaOfExample = (value: Json): JsonObject => {
  if (value === null) return {};
  if (Array.isArray(value))
    return { type: 'array', items: value.length === 0 ? {} : schemaOfExample(value[0] ?? null) };
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

/** The schemas of a dialect. Each becomes a component of the document when it is first used. */
interface DialectSchemas {
  readonly request: () => JsonObject;
  readonly answer: () => JsonObject;
  readonly error: () => JsonObject;
}

const toSchemas = ({ id, members, encodeError }: Dialect, { placeAs }: SchemaComponents): DialectSchemas => {
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

const bytes: JsonObject = { schema: { type: 'string', format: 'binary' } };

const answerContent = (route: ClientRoute, dialect: DialectDeclaration, toSchema: () => JsonObject): JsonObject => {
  const { stream } = route;
  const type = streamTypes[dialect.framing ?? ''] ?? 'text/event-stream';
  return {
    ...(stream === true
      ? {}
      : dialect.operation === 'speech'
        ? { 'audio/*': bytes }
        : { 'application/json': { schema: toSchema() } }),
    ...(stream === false || !operations[dialect.operation].mayStream ? {} : { [type]: { schema: { type: 'string' } } }),
  };
};

const toId = (path: string): string => path.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '');

interface ModelEndpoint {
  /** As its client libraries write it. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly dialect: string;
  /** The parameters of its query. */
  readonly query?: readonly JsonObject[];
  /** Absent if requests have no body. */
  readonly request?: JsonObject;
  /** Default: JSON. */
  readonly requestType?: string;
  /** By type. */
  readonly content: JsonObject;
  readonly error: JsonObject;
}

/** Describes what all operations that can be model requests have in common. */
const modelOperation = (endpoint: ModelEndpoint): JsonObject => {
  const {
    path,
    operationId,
    summary,
    description,
    dialect,
    query = [],
    request,
    requestType,
    content,
    error,
  } = endpoint;
  const model = { name: 'model', in: 'path', required: true, description: 'The model.', schema: { type: 'string' } };
  const answers = (request === undefined ? [200] : [200, 246]).map((status): [string, Json] => [
    String(status),
    { description: describeStatus(String(status)), headers: headerReferences, content },
  ]);
  const errors = [...errorStatuses.map(String), 'default'].map((status): [string, Json] => [
    status,
    {
      description: describeStatus(status),
      headers: errorReferences,
      content: { 'application/json': { schema: error } },
    },
  ]);
  return {
    operationId,
    tags: [modelsTag],
    summary,
    description,
    'x-gw-dialect': dialect,
    // Client libraries add their version themselves. The same path is also served below the gateway's own base.
    ...(/^\/v\d/.test(path) ? { servers: [{ url: '/' }] } : {}),
    parameters: [...(path.includes('{model}') ? [model] : []), ...query, ...callerHeaderReferences],
    ...(request === undefined
      ? {}
      : { requestBody: { required: true, content: { [requestType ?? 'application/json']: { schema: request } } } }),
    responses: Object.fromEntries([...answers, ...errors]),
  };
};

const toOperation = (route: ClientRoute, dialect: DialectDeclaration, schemas: DialectSchemas): JsonObject =>
  modelOperation({
    path: route.path,
    operationId: route.operationId ?? toId(route.path),
    summary: route.summary ?? `A model request in the format of ${dialect.id}.`,
    description: "The request's plan determines which provider answers. The answer is in this endpoint's format.",
    dialect: dialect.id,
    request: schemas.request(),
    ...(route.hasForms === true ? { requestType: 'multipart/form-data' } : {}),
    content: answerContent(route, dialect, schemas.answer),
    error: schemas.error(),
  });

const anyContent: JsonObject = { 'application/json': { schema: anyObject } };

/** Describes a path of a dialect's API that the gateway does not model, and that its clients call with POST. */
const toSibling = (path: string, { id }: Dialect, schemas: DialectSchemas): Described => [
  belowBase(path),
  'POST',
  modelOperation({
    path,
    operationId: toId(path),
    summary: `Passed on unchanged to a provider that speaks ${id}.`,
    description:
      "The request's plan determines which provider answers. Request and answer are in that provider's format.",
    dialect: id,
    request: anyObject,
    content: anyContent,
    error: schemas.error(),
  }),
];

/** Returns the lists of models for a dialect's clients, as the gateway writes them. */
const toLists = ({ id, models, furtherModels = [] }: Dialect, { placeAs }: SchemaComponents): readonly JsonObject[] => {
  const schema = (list: ModelList): JsonObject =>
    schemaOfExample(list.encode([{ id: 'a-model', provider: 'a-provider' }]));
  const name = toPascalCase(id);
  return [
    ...(models === undefined ? [] : [placeAs(`${name}Models`, schema(models))]),
    ...furtherModels.map((each) => placeAs(`${name}FurtherModels`, schema(each))),
  ];
};

const inQuery = (name: string, description: string, schema: JsonObject = { type: 'string' }): JsonObject => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});

/** The query parameters of a list in the plain form. */
const listQuery: readonly JsonObject[] = [
  inQuery('capabilities', 'Only models whose facts include all of these, separated by commas.'),
  inQuery('provider', 'Only models of this provider: its id, or `@` and the slug of a saved one.'),
  inQuery('ai_service', 'The same as `provider`.'),
  inQuery('sort', "How the list is sorted. Default, without `order`: the plan's order.", {
    type: 'string',
    enum: ['name', 'provider', 'ai_service'],
  }),
  inQuery('order', 'Whether the list is in ascending or descending order.', { type: 'string', enum: ['asc', 'desc'] }),
  inQuery('limit', 'The maximum number of models in the list.', { type: 'integer', minimum: 1 }),
  inQuery('offset', 'How many models to skip at the beginning.', { type: 'integer', minimum: 0 }),
];

const listing = "The models that the request's plan names or, if it names none, its provider's list.";

const describing =
  "Its object in the list of models. If the request's plan accepts any model, one that is not listed is described by the provider, in the provider's format.";

interface Written {
  readonly dialect: Dialect;
  readonly schemas: DialectSchemas;
}

/** Returns the operations of the lists of models, and of one model in them. */
const listOperations = (dialects: readonly Written[], components: SchemaComponents): readonly Described[] => {
  // A client that sends no header of another dialect's clients receives this dialect's list.
  const plain = dialects.find(
    ({ dialect: { models } }) => models !== undefined && models.clientHeader === undefined && models.path === undefined,
  );
  if (plain === undefined) return [];
  const { dialect, schemas } = plain;
  const common = { dialect: dialect.id, error: schemas.error() };
  const all = dialects.flatMap((each) => toLists(each.dialect, components));
  const own = dialects.flatMap(({ dialect: other, schemas: { error } }): readonly Described[] => {
    const { id, models } = other;
    const path = models?.path;
    if (path === undefined) return [];
    const [schema = anyObject] = toLists(other, components);
    const common = { dialect: id, error: error() };
    const list = modelOperation({
      path,
      operationId: `list_models_of_${id}`,
      summary: `Lists models in the format of ${id}.`,
      description: listing,
      content: { 'application/json': { schema } },
      ...common,
    });
    const one = modelOperation({
      path: `${path}/{model}`,
      operationId: `retrieve_model_of_${id}`,
      summary: `Describes one of the listed models in the format of ${id}.`,
      description: describing,
      content: anyContent,
      ...common,
    });
    return [
      [belowBase(path), 'GET', list],
      [belowBase(`${path}/{model}`), 'GET', one],
    ];
  });
  return [
    [
      '/models',
      'GET',
      modelOperation({
        path: '/models',
        operationId: 'list_models',
        summary: 'Lists models in the format of the client library that sends the request.',
        description: listing,
        query: listQuery,
        content: { 'application/json': { schema: { anyOf: [...all] } } },
        ...common,
      }),
    ],
    ...own,
    [
      '/models/{model}',
      'GET',
      modelOperation({
        path: '/models/{model}',
        operationId: 'retrieve_model',
        summary: 'Describes one of the listed models in the format of the client library that sends the request.',
        description: describing,
        content: anyContent,
        ...common,
      }),
    ],
  ];
};

const whole = async (dialect: Dialect | LazyDialect): Promise<Dialect> =>
  'load' in dialect ? dialect.load() : dialect;

/** Returns routes without those that are another spelling of an earlier one, such as a path without its version. */
const spelledOnce = <Spelled extends { readonly path: string }>(routes: readonly Spelled[]): readonly Spelled[] =>
  routes.filter(({ path }, at) => !routes.slice(0, at).some((other) => other.path.endsWith(path)));

/**
 * Returns the operations of the endpoints that clients of these plugins' dialects use. Routes describe those that are `served` by
 * them; only the bodies of their requests are described here.
 */
export const modelOperations = async (
  plugins: readonly Plugin[],
  { components, served }: { readonly components: SchemaComponents; readonly served: ReadonlySet<string> },
): Promise<ModelOperations> => {
  const dialects = await Promise.all(plugins.flatMap(({ dialects: declared = [] }) => declared.map(whole)));
  const written = dialects.map((dialect): Written => ({ dialect, schemas: toSchemas(dialect, components) }));
  const routes = written.flatMap(({ dialect, schemas }) =>
    spelledOnce(dialect.routes ?? []).map((route) => ({ dialect, schemas, route, path: belowBase(route.path) })),
  );
  const isServed = (path: string): boolean => served.has(`POST ${path}`);
  const own = routes.filter(({ path }) => !isServed(path));
  const bodies = routes.filter(({ path }) => isServed(path));
  const siblings = written.flatMap(({ dialect, schemas }) =>
    spelledOnce((dialect.siblings ?? []).map((path) => ({ path })))
      .filter(({ path }) => !isServed(belowBase(path)))
      .map(({ path }) => toSibling(path, dialect, schemas)),
  );
  return {
    operations: [
      ...own.map(({ path, route, dialect, schemas }) => [path, 'POST', toOperation(route, dialect, schemas)] as const),
      ...siblings,
      ...listOperations(written, components).filter(([path, method]) => !served.has(`${method} ${path}`)),
    ],
    bodies: new Map(bodies.map(({ path, schemas }) => [path, schemas.request()])),
    parameters: written.length === 0 ? {} : callerHeaders(),
    headers: written.length === 0 ? {} : headerComponents(),
  };
};
