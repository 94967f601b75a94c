import { toSlug } from '../../../docs/.vitepress/slug.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { code, described, fence, prose, type ReferencePage, table, toPage } from '../markdown.ts';
import {
  listOperations,
  type Operation,
  openApiDocument,
  parametersOf,
  resolveReference,
} from '../open-api-document.ts';
import { memberNames, memberRows, schemaType } from '../schema-members.ts';
import { toSample } from '../schema-sample.ts';

/** Returns the path of an operation, relative to the gateway's origin. */
const fullPath = ({ path, operation }: Operation): string => {
  const { servers } = operation;
  return Array.isArray(servers) || path === '/' ? path : `/v1${path}`;
};

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const headingOf = (each: Operation): string => `${each.method} ${fullPath(each)}`;

const tagOf = ({ operation: { tags } }: Operation): string => (Array.isArray(tags) ? textOf(tags[0]) : '');

const isModel = ({ operation }: Operation): boolean => operation['x-gw-dialect'] !== undefined;

const parameterRows = (operation: JsonObject): readonly (readonly string[])[] =>
  parametersOf(operation).map(({ name, in: place, required, description, schema }) => [
    code(textOf(name)),
    textOf(place),
    schemaType(schema),
    required === true ? 'yes' : '',
    prose(textOf(description)),
  ]);

interface Body {
  readonly type: string;
  readonly schema: Json | undefined;
}

const bodyOf = ({ requestBody }: JsonObject): Body | undefined => {
  const { content } = resolveReference(requestBody);
  const [found] = Object.entries(isJsonObject(content) ? content : {});
  return found === undefined
    ? undefined
    : { type: found[0], schema: isJsonObject(found[1]) ? found[1].schema : undefined };
};

const answerRow = ([status, written]: readonly [string, Json]): readonly string[] => {
  const { content, description } = resolveReference(written);
  const [form] = Object.entries(isJsonObject(content) ? content : {});
  if (form === undefined) return [status, prose(textOf(description)), ''];
  const [type, { schema }] = [form[0], resolveReference(form[1])];
  const names = memberNames(schema);
  return [status, type === 'application/json' ? schemaType(schema) : code(type), names];
};

const answers = ({ responses }: JsonObject): string => {
  const all = Object.entries(isJsonObject(responses) ? responses : {});
  const good = all.filter(([status]) => /^(?:2|default)/.test(status));
  const bad = all.map(([status]) => status).filter((status) => /^[45]/.test(status));
  return [
    table(['response', 'form', 'members'], good.map(answerRow)),
    ...(bad.length === 0 ? [] : [`Errors: ${bad.join(', ')} ([their codes](../errors/README.md)).`]),
  ].join('\n\n');
};

/** Returns a value for a path parameter. */
const sampleOf = (name: string): string => `${name.replaceAll(/[^a-z]+/gi, '-')}-1`;

/** Returns the fields of a form that are required, and its file, as flags of curl. */
const formFlags = (schema: Json | undefined): string => {
  const { properties, required } = resolveReference(schema);
  return Object.entries(isJsonObject(properties) ? properties : {})
    .filter(([name]) => name === 'file' || (Array.isArray(required) && required.includes(name)))
    .map(([name, member]) => ` -F ${name}=${name === 'file' ? '@FILE' : String(toSample(member) ?? '')}`)
    .join('');
};

const bodyFlags = ({ type, schema }: Body): string => {
  if (type === 'multipart/form-data') return formFlags(schema);
  const data = type === 'application/json' ? toSample(schema) : undefined;
  return data === undefined
    ? ` -H 'content-type: ${type === '*/*' ? 'application/octet-stream' : type}' --data-binary @FILE`
    : ` -H 'content-type: application/json' -d '${JSON.stringify(data).replaceAll("'", "'\\''")}'`;
};

const toExample = (each: Operation, body: Body | undefined): string => {
  const target = fullPath(each).replaceAll(/\{(\w+)\}/g, (_, name: string) => sampleOf(name));
  const needed = parametersOf(each.operation).filter(
    ({ required, in: place }) => required === true && place === 'query',
  );
  const query = needed.map(({ name, schema }) => `${textOf(name)}=${String(toSample(schema) ?? '')}`).join('&');
  const headers = parametersOf(each.operation)
    .filter(({ required, in: place }) => required === true && place === 'header')
    .map(({ name }) => ` -H '${textOf(name)}: main'`)
    .join('');
  const sent = body === undefined ? '' : bodyFlags(body);
  const method = each.method === 'GET' || (each.method === 'POST' && sent !== '') ? '' : ` -X ${each.method}`;
  return `curl${method} 'http://127.0.0.1:8787${target}${query === '' ? '' : `?${query}`}' -H "x-gw-api-key: $GW_API_KEY"${headers}${sent}`;
};

const toEntry = (each: Operation): readonly string[] => {
  const { operation } = each;
  const body = bodyOf(operation);
  const scope = operation['x-gw-scope'];
  const members = body?.type === '*/*' || operation['x-gw-body'] === 'model' ? [] : memberRows(body?.schema);
  return [
    `## ${code(headingOf(each))}`,
    prose(described(textOf(operation.summary), headingOf(each))),
    typeof scope === 'string'
      ? `Scope: [${code(scope)}](../scopes.md#${toSlug(scope.split('.')[0] ?? '')}).`
      : prose(textOf(operation.description)),
    table(['parameter', 'in', 'type', 'required', 'description'], parameterRows(operation)),
    ...(body === undefined
      ? []
      : [
          members.length === 0 ? `Body: ${code(body.type)}, ${schemaType(body.schema)}.` : `Body (${code(body.type)}):`,
          table(
            ['member', 'type', 'required', 'description'],
            members.map((row) => row.map((cell, at) => (at === 3 ? prose(cell) : cell))),
          ),
        ]),
    answers(operation),
    fence('sh', toExample(each, body)),
  ];
};

/** A row for an endpoint of a client library, which the library's vendor documents. */
const modelRow = (each: Operation): readonly string[] => [
  code(headingOf(each)),
  code(textOf(each.operation['x-gw-dialect'])),
  prose(described(textOf(each.operation.summary), headingOf(each))),
];

const modelsPage = (tag: string, description: string, all: readonly Operation[]): ReferencePage =>
  toPage(`api/${tag}.md`, {
    title: 'HTTP API: requests to models',
    from: 'the OpenAPI document (GET /v1/openapi.json)',
    parts: [
      prose(description),
      "Requests and responses are those of the vendor's API for the dialect. [Headers](../headers.md) control how a request is routed, and report it in the response. A key needs the scope [`completions.write`](../scopes.md#completions), and `models.list` for lists of models. All other paths below `/v1` are passed through to the provider.",
      ...[...Map.groupBy(all, ({ operation }) => textOf(operation['x-gw-dialect']))].flatMap(([dialect, own]) => [
        `## ${code(dialect)}`,
        table(['request', 'dialect', 'description'], own.map(modelRow)),
      ]),
      'If the gateway responds instead of a provider, the response is one of the [errors](../errors/README.md).',
      fence(
        'sh',
        `curl http://127.0.0.1:8787/v1/chat/completions -H 'x-gw-provider: echo' -H 'content-type: application/json' -d '{"model":"echo","messages":[{"role":"user","content":"Hello!"}]}'`,
      ),
    ],
  });

/** Creates a page for each tag of the OpenAPI document, and their index. */
export const apiPages = (): readonly ReferencePage[] => {
  const tags = Array.isArray(openApiDocument.tags) ? openApiDocument.tags.map(resolveReference) : [];
  const byTag = Map.groupBy(
    listOperations().filter(({ path }) => path !== '/openapi.json'),
    tagOf,
  );
  const descriptionOf = (tag: string): string =>
    described(textOf(tags.find(({ name }) => name === tag)?.description), `The tag ${tag}`);
  const groups = [...byTag].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    toPage('api/README.md', {
      title: 'HTTP API',
      from: 'the OpenAPI document (GET /v1/openapi.json)',
      parts: [
        'Requests to models, which every gateway serves, and the control plane, which a gateway with a store has (`gw serve --store FILE`). `GET /v1/openapi.json` returns the same as an OpenAPI 3.1 document, for client generators.',
        'Send a service key in `x-gw-api-key`, or as `authorization: Bearer …`. The entry of a route names the [scope](../scopes.md) that it requires.',
        ...groups.flatMap(([tag, all]) => [
          `## [${tag}](${tag}.md)`,
          prose(descriptionOf(tag)),
          table(
            ['request', 'description'],
            all.map((each) => [
              isModel(each)
                ? code(headingOf(each))
                : `[${code(headingOf(each))}](${tag}.md#${toSlug(headingOf(each))})`,
              prose(textOf(each.operation.summary)),
            ]),
          ),
        ]),
      ],
    }),
    ...groups.map(([tag, all]) =>
      all.every(isModel)
        ? modelsPage(tag, descriptionOf(tag), all)
        : toPage(`api/${tag}.md`, {
            title: `HTTP API: ${tag}`,
            from: 'the OpenAPI document (GET /v1/openapi.json)',
            parts: [prose(descriptionOf(tag)), ...all.flatMap(toEntry), '[All requests](README.md)'],
          }),
    ),
  ];
};
