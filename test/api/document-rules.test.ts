import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../plugins/builtin.ts';
import { declaredRows } from '../../plugins/control/control-routes.ts';
import { hasSockets } from '../../runtime/http/exchange/http-exchange.ts';
import { headerTable } from '../../runtime/http/headers/header-table.ts';
import { declaredRoutes, rootRoutes } from '../../runtime/route-matching/declared-routes.ts';
import { pageRows } from '../../runtime/status-pages/page-rows.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { resolved } from '../support/declared/resolved-references.ts';
import { type RunningApi, startApi } from './run/start-api.ts';

/** An operation with its method and path: `GET /providers`. */
interface Described {
  readonly name: string;
  readonly path: string;
  readonly operation: JsonObject;
}

/** Undocumented routes, with the reason. */
const undescribed: readonly (readonly [why: string, isSuch: (path: string) => boolean])[] = [
  [
    'it is another spelling of a path with its version',
    (path) => operations.some((each) => each.path === `/v1beta${path}`),
  ],
  [
    'all that is below it is passed on, and described by its vendor',
    (path) => rootRoutes(builtinPlugins).some((each) => each.path === path),
  ],
  [
    'it is the handshake of a WebSocket, which OpenAPI does not describe',
    (path) => declaredRoutes(builtinPlugins).some((each) => each.path === path && hasSockets(each.route)),
  ],
];

let document: JsonObject = {};
let operations: readonly Described[] = [];
let reads: readonly { readonly name: string; readonly path: string; readonly status: number; readonly body: string }[] =
  [];

const readObject = (value: Json | undefined): JsonObject => (isJsonObject(value ?? null) ? (value as JsonObject) : {});
const readList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** Returns all objects in a value, including the value itself, with their places. */
const objectsIn = (value: Json, at = '#'): readonly (readonly [string, JsonObject])[] => {
  if (Array.isArray(value)) return value.flatMap((each, index) => objectsIn(each, `${at}/${index}`));
  if (!isJsonObject(value)) return [];
  const inside = Object.entries(value).flatMap(([name, each]) =>
    objectsIn(each, `${at}/${name.replaceAll('/', '~1')}`),
  );
  return [[at, value], ...inside];
};

const referencesIn = (value: Json): readonly string[] =>
  objectsIn(value).flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []));

/** Sends a request to each documented path that can be read without parameters, and returns the answers. */
const readAll = async ({ origin, admin }: Pick<RunningApi, 'origin' | 'admin'>): Promise<typeof reads> => {
  const config = JSON.stringify({ provider: 'echo', override_params: { model: 'a-model' } });
  const isRead = ({ name, path, operation }: Described): boolean =>
    (operation['x-gw-page'] === true || operation['x-gw-dialect'] !== undefined) && name === `GET ${path}`;
  const plain = operations.filter((each) => isRead(each) && !each.path.includes('{'));
  return Promise.all(
    plain.map(async ({ name, path, operation }) => {
      const base = operation.servers === undefined ? `${origin}/v1` : origin;
      const answer = await fetch(base + path, { headers: { 'x-gw-api-key': admin, 'x-gw-config': config } });
      return { name, path, status: answer.status, body: await answer.text() };
    }),
  );
};

beforeAll(async () => {
  await using running = await startApi('gateway.db');
  document = running.document;
  operations = Object.entries(readObject(document.paths)).flatMap(([path, methods]) =>
    Object.entries(readObject(methods)).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      operation: readObject(operation),
    })),
  );
  reads = await readAll(running);
});

/** Returns the names of the operations that lack something. */
const without = (has: (described: Described) => boolean): readonly string[] =>
  operations.filter((each) => !has(each)).map(({ name }) => name);

/** The recommended rules of Redocly and Spectral that a generated document could break. `lint.ts` runs all rules. */
describe('the OpenAPI document', () => {
  it('describes every route that the gateway declares, except those with a listed reason', () => {
    const routes = [
      ...[...declaredRoutes(builtinPlugins), ...rootRoutes(builtinPlugins)].map(({ method, path }) => ({
        method,
        path,
      })),
      ...declaredRows().map(({ method, path }) => ({ method, path })),
      ...pageRows.map(({ path }) => ({ method: 'GET', path })),
    ];
    const isDescribed = ({ method, path }: (typeof routes)[number]): boolean =>
      operations.some((each) => each.path === path && (method === undefined || each.name === `${method} ${path}`));
    const missing = routes.filter((route) => !isDescribed(route)).map(({ path }) => path);
    const reasons = new Map(missing.map((path) => [path, undescribed.find(([, isSuch]) => isSuch(path))?.[0]]));
    expect([...reasons].filter(([, why]) => why === undefined)).toEqual([]);
    expect(new Set(reasons.values()).size, 'each reason has a route').toBe(undescribed.length);
  });

  it('describes pages and lists as the gateway serves them', () => {
    expect(reads.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'GET /models 200',
      'GET /v1beta/models 200',
      'GET /livez 200',
      'GET /readyz 200',
      // This gateway has no metrics.
      'GET /metrics 404',
    ]);
    const ajv = new Ajv({ strict: false });
    const { paths } = resolved(document);
    for (const { name, path, status, body } of reads) {
      const { content } = readObject(readObject(readObject(readObject(readObject(paths)[path]).get).responses)[status]);
      const { schema } = readObject(readObject(content)['application/json']);
      if (schema !== undefined)
        expect(ajv.validate(readObject(schema), JSON.parse(body)), `${name}: ${body}`).toBe(true);
    }
  });

  it('has a description, a contact and a licence', () => {
    expect(document.info).toMatchObject({
      description: expect.stringMatching(/\w/),
      contact: { name: expect.stringMatching(/\w/) },
      license: { name: 'MIT', identifier: 'MIT' },
    });
  });

  it('has a unique id, a summary, a description, and 2xx and 4xx responses for every operation', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(without(({ operation }) => /^[\w-]+$/.test(String(operation.operationId)))).toEqual([]);
    expect(without(({ operation: { summary, description } }) => Boolean(summary && description))).toEqual([]);
    const hasStatus = (operation: JsonObject, form: RegExp): boolean =>
      Object.keys(readObject(operation.responses)).some((status) => form.test(status));
    expect(without(({ operation }) => hasStatus(operation, /^2/) && hasStatus(operation, /^4/))).toEqual([]);
  });

  it('tags every operation with its resource, and describes each tag', () => {
    const tags = new Map(readList(document.tags).map((each) => [readObject(each).name, readObject(each).description]));
    expect([...tags].filter(([, description]) => !description)).toEqual([]);
    const toResource = ({ path, operation }: Described): string => {
      if (operation['x-gw-dialect'] !== undefined) return 'inference';
      return operation['x-gw-page'] === true ? 'pages' : (path.split('/')[1] ?? '');
    };
    expect(without((each) => readList(each.operation.tags).join() === toResource(each))).toEqual([]);
    expect(without(({ operation }) => readList(operation.tags).every((tag) => tags.has(tag)))).toEqual([]);
    expect(tags.size).toBe(new Set(operations.map(toResource)).size);
  });

  it('refers only to existing components, and has none that is unused', () => {
    const named = new Set(referencesIn(document));
    const components = Object.entries(readObject(document.components)).flatMap(([kind, all]) =>
      kind === 'securitySchemes' ? [] : Object.keys(readObject(all)).map((name) => `#/components/${kind}/${name}`),
    );
    expect(components.filter((each) => !named.has(each))).toEqual([]);
    expect([...named].filter((each) => !components.includes(each))).toEqual([]);
  });

  it('describes the parameters of each path', () => {
    const pathNames = ({ operation }: Described): string =>
      readList(operation.parameters)
        .map(readObject)
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name)
        .join();
    const written = ({ path }: Described): string => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).join();
    expect(without((each) => pathNames(each) === written(each))).toEqual([]);
  });

  it('has a 412 response for every operation that accepts if-match', () => {
    const isConditional = ({ operation }: Described): boolean =>
      readList(operation.parameters).some((each) => readObject(each).name === 'if-match');
    const conditional = operations.filter(isConditional);
    expect(conditional.length).toBeGreaterThan(0);
    const silent = conditional.filter(({ operation }) => !Object.hasOwn(readObject(operation.responses), '412'));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('requires only members that it describes, and specifies the items of arrays and the type of enumerations', () => {
    const errors = objectsIn(document).flatMap(([at, schema]) => {
      // In these places, the keys are names chosen by the document, not keywords.
      if (/\/(?:properties|headers|parameters)$/.test(at)) return [];
      const { required, properties, type, items, enum: words } = schema;
      const missing = readList(required).filter((name) => !Object.hasOwn(readObject(properties), String(name)));
      const isOption = /\/(?:anyOf|oneOf|allOf)\/\d+$/.test(at);
      return [
        ...(Array.isArray(required) && !isOption ? missing.map((name) => `${at} requires ${name}`) : []),
        ...(type === 'array' && items === undefined ? [`${at} is an array of nothing`] : []),
        ...(type === 'string' && readList(words).some((word) => typeof word !== 'string') ? [`${at}: its words`] : []),
      ];
    });
    expect(errors).toEqual([]);
  });

  it('uses named schemas for all bodies, and for all answers that have members', () => {
    const inline = operations.flatMap(({ name, operation }) => {
      const contents = [
        readObject(operation.requestBody),
        ...Object.entries(readObject(operation.responses)).flatMap(([status, reply]) =>
          status === 'default' ? [] : [readObject(reply)],
        ),
      ].map(({ content }) => readObject(readObject(readObject(content)['application/json']).schema));
      return contents.some(({ properties }) => properties !== undefined) ? [name] : [];
    });
    expect(inline).toEqual([]);
    const { schemas } = readObject(document.components);
    const names = Object.keys(readObject(schemas));
    expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining([
        'Provider',
        'ProviderList',
        'Config',
        'Prompt',
        'ApiKey',
        'CreatedApiKey',
        'UsageLimits',
      ]),
    );
  });

  it('refers to a named schema inside another schema instead of repeating it', () => {
    const { schemas } = readObject(document.components);
    for (const [name, part] of [
      ['Provider', 'UsageLimits'],
      ['ApiKey', 'UsageLimits'],
      ['CreateProviderRequest', 'UsageLimitsInput'],
      ['ProviderList', 'Provider'],
    ] as const)
      expect(referencesIn(readObject(schemas)[name] ?? null), name).toContain(`#/components/schemas/${part}`);
  });

  it('requires x-gw-virtual-key for batches and fine-tuning jobs, and for nothing else', () => {
    const requires = ({ operation }: Described): boolean =>
      readList(operation.parameters)
        .map(readObject)
        .some(({ name, required }) => name === 'x-gw-virtual-key' && required === true);
    const requiring = operations.filter(requires).map(({ name }) => name);
    const wanted = operations.filter(({ path }) => /^\/(?:batches|fine_tuning)(?:\/|$)/.test(path));
    expect(requiring).toEqual(wanted.map(({ name }) => name));
    expect(requiring.length).toBeGreaterThan(10);
  });

  it('describes model requests in every dialect, with the headers that the gateway reads', () => {
    const models = operations.filter(({ operation }) => operation['x-gw-dialect'] !== undefined);
    expect(models.map(({ name }) => name)).toEqual([
      'POST /chat/completions',
      'POST /openai/deployments/{model}/chat/completions',
      'POST /messages',
      'POST /v2/chat',
      'POST /model/{model}/converse',
      'POST /model/{model}/converse-stream',
      'POST /v1beta/models/{model}:generateContent',
      'POST /v1beta/models/{model}:streamGenerateContent',
      'POST /completions',
      'POST /openai/deployments/{model}/completions',
      'POST /embeddings',
      'POST /openai/deployments/{model}/embeddings',
      'POST /v2/embed',
      'POST /embed',
      'POST /v1beta/models/{model}:batchEmbedContents',
      'POST /v1beta/models/{model}:embedContent',
      'POST /rerank',
      'POST /v2/rerank',
      'POST /audio/speech',
      'POST /openai/deployments/{model}/audio/speech',
      'POST /audio/transcriptions',
      'POST /openai/deployments/{model}/audio/transcriptions',
      'POST /audio/translations',
      'POST /openai/deployments/{model}/audio/translations',
      'POST /images/edits',
      'POST /openai/deployments/{model}/images/edits',
      'POST /images/variations',
      'POST /model/{model}/count-tokens',
      'POST /v1beta/models/{model}:countTokens',
      'POST /messages/count_tokens',
      'POST /responses/input_tokens',
      'POST /moderations',
      'POST /ocr',
      'POST /images/generations',
      'POST /openai/deployments/{model}/images/generations',
      'GET /models',
      'GET /v1beta/models',
      'GET /v1beta/models/{model}',
      'GET /models/{model}',
    ]);
    const parameters = Object.values(readObject(readObject(document.components).parameters)).map(readObject);
    const documented = new Map(parameters.map(({ name, description }) => [name, description]));
    const read = headerTable.map(({ name }) => name).filter((name) => /^x-gw-(?!api-key$)/.test(name));
    expect(read.filter((name) => !documented.get(name))).toEqual([]);
    const asking = [...models, ...operations.filter(({ name }) => name === 'POST /responses')];
    for (const { name, operation } of asking) expect(referencesIn(operation).length, name).toBeGreaterThan(read.length);
    const chat = readObject(readObject(readObject(document.components).schemas).ChatRequest);
    expect(readObject(chat.properties)).toMatchObject({
      model: { type: 'string' },
      messages: { type: 'array' },
      stream: { type: ['boolean', 'null'] },
    });
  });
});
