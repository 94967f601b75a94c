import { type Plugin, sdkVersion } from '../../../plugins/sdk/plugin/plugin.ts';
import { base } from '../../../plugins/sdk/route/route-path.ts';
import type { AnyRouteRow } from '../../../plugins/sdk/route/route-row.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { controlOperation, toErrorStatuses } from './control-operation.ts';
import type { Described } from './described.ts';
import { errorSchema } from './error-schema.ts';
import { modelOperations } from './model-operations.ts';
import { pageOperations } from './page-operations.ts';
import { errorResponses } from './responses.ts';
import { createSchemaComponents } from './schema-components.ts';
import { toTags } from './tags.ts';

const info: JsonObject = {
  title: 'Gatewright',
  version: sdkVersion,
  description:
    'Model requests in the formats of several client libraries, and the control plane: keys, providers, configs, prompts, guardrails, limits and logs.',
  contact: { name: 'Gatewright' },
  license: { name: 'MIT', identifier: 'MIT' },
};

const idempotencyKey: JsonObject = {
  name: 'idempotency-key',
  in: 'header',
  required: false,
  description: 'A request that is repeated with the same key within 24 hours is not executed again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const idempotentReplayed: JsonObject = {
  description: 'Set if the request was executed before with the same idempotency-key, and this is its earlier reply.',
  schema: { type: 'string', const: 'true' },
};

const toPaths = (operations: readonly Described[]): JsonObject =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(operations, ([path]) => path),
      ([path, alike]): [string, Json] => [
        path,
        Object.fromEntries(alike.map(([, method, operation]) => [method.toLowerCase(), operation])),
      ],
    ),
  );

const tagsIn = (operations: readonly Described[]): readonly string[] =>
  operations.flatMap(([, , { tags }]) => (tags ?? []) as readonly string[]);

/** Returns the OpenAPI 3.1 document of these routes, and of the endpoints of these plugins' dialects. */
export const openApi = async (rows: readonly AnyRouteRow[], plugins: readonly Plugin[]): Promise<JsonObject> => {
  const components = createSchemaComponents();
  const served = new Set(rows.map(({ method, path }) => `${method} ${path}`));
  const models = await modelOperations(plugins, { components: components.replies, served });
  const control = rows.map(
    (row): Described => [
      row.path,
      row.method,
      controlOperation(row, { components, modelBody: models.bodies.get(row.path) }),
    ],
  );
  const pages = pageOperations(components.replies.place);
  const operations: readonly Described[] = [...models.operations, ...control, ...pages];
  const isRepeatable = rows.some(({ idempotent }) => idempotent === true);
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: base }],
    security: [{ serviceKey: [] }, { bearer: [] }],
    tags: toTags(tagsIn(operations)),
    paths: toPaths(operations),
    components: {
      securitySchemes: {
        serviceKey: { type: 'apiKey', in: 'header', name: 'x-gw-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      headers: {
        TraceId: { description: "The id of the request in the gateway's log.", schema: { type: 'string' } },
        ...(isRepeatable ? { IdempotentReplayed: idempotentReplayed } : {}),
        ...models.headers,
      },
      parameters: { ...models.parameters, ...(isRepeatable ? { IdempotencyKey: idempotencyKey } : {}) },
      responses: errorResponses(toErrorStatuses(rows)),
      schemas: { ...components.replies.written(), Error: errorSchema },
    },
  };
};
