import { errorText } from '../../../schema/text/error-text.ts';
import { compileSchema } from '../parameters/compile-schema.ts';
import type { ParameterSchema } from '../parameters/from-schema.ts';
import type { AnyRouteRow, RouteMethod } from './route-row.ts';

export const routeMethods: readonly RouteMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** First segments that paths of the control plane cannot have: those of the gateway's pages, its base, and its model list. */
const taken: ReadonlySet<string> = new Set(['livez', 'readyz', 'v1', 'proxy', 'models', 'openapi.json']);

/** Returns the names of the parameters in a path, in order. */
export const paramNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const pathErrors = (path: unknown): readonly string[] => {
  if (typeof path !== 'string' || !/^(?:\/(?:[\w~-][\w.~-]*|\{[A-Za-z]\w*\}))+$/.test(path))
    return [
      'path is not of the form /things/{id}: its segments are letters, digits, ".", "_", "~" and "-", or a name in braces',
    ];
  const [, first = ''] = path.split('/');
  if (first.startsWith('{')) return ['the first segment of path cannot be a parameter'];
  if (taken.has(first)) return [`the gateway itself answers at /${first}`];
  const names = paramNames(path);
  return new Set(names).size === names.length ? [] : ['path has two parameters of one name'];
};

/** Returns the errors in a schema. */
type SchemaErrors = (schema: unknown, member: string) => readonly string[];

const formErrors: SchemaErrors = (schema, member) =>
  schema !== undefined && (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    ? [`${member} is not a schema`]
    : [];

const schemaErrors: SchemaErrors = (schema, member) => {
  const errors = formErrors(schema, member);
  if (schema === undefined || errors.length > 0) return errors;
  try {
    compileSchema(schema as ParameterSchema);
    return [];
  } catch (error) {
    return [`${member} is not a valid schema: ${errorText(error)}`];
  }
};

/** `params` must describe only members that the path has; any other would never be present. */
const paramsErrors = ({ path, params }: AnyRouteRow): readonly string[] => {
  if (params === undefined || typeof path !== 'string') return [];
  const described = Object.keys(params.properties ?? {})
    .sort()
    .join(', ');
  const written = [...paramNames(path)].sort().join(', ');
  return described === written ? [] : [`params describes "${described}", and path has "${written}"`];
};

const objectErrors = (schema: ParameterSchema | undefined, member: string): readonly string[] =>
  schema === undefined || schema.type === 'object' ? [] : [`${member} is not a schema of type object`];

const headerErrors = (schema: ParameterSchema | undefined, member: string, ofSchema: SchemaErrors) => [
  ...ofSchema(schema, member),
  ...objectErrors(schema, member),
  ...(Object.keys(schema?.properties ?? {}).every((name) => /^[a-z\d-]+$/.test(name))
    ? []
    : [`${member} has a name that is not one of a header in lower case`]),
];

const replyErrors = (replies: unknown, ofSchema: SchemaErrors): readonly string[] => {
  if (typeof replies !== 'object' || replies === null || Object.keys(replies).length === 0)
    return ['replies has no status'];
  return Object.entries(replies).flatMap(([status, reply]) => [
    ...(/^(?:[2-5]\d\d|default)$/.test(status) ? [] : [`replies has the status ${status}`]),
    ...(Array.isArray(reply) && reply.length > 0 ? reply : [reply]).flatMap((form) =>
      form === 'bytes' || form === 'events' || form === 'lines' ? [] : ofSchema(form, `replies.${status}`),
    ),
  ]);
};

const rowErrors = (row: AnyRouteRow, ofSchema: SchemaErrors): readonly string[] => {
  const {
    method,
    path,
    operationId,
    summary,
    scope,
    idempotent = false,
    params,
    query,
    body,
    mostBytes = 1,
    maxBytes = mostBytes,
    headers,
    replies,
    replyHeaders,
  } = row;
  return [
    ...(routeMethods.includes(method) ? [] : [`method is not one of ${routeMethods.join(', ')}`]),
    ...pathErrors(path),
    ...(/^[\w-]+$/.test(operationId ?? '') ? [] : ['operationId is not made of letters, digits, "-" and "_"']),
    ...(typeof summary === 'string' && summary !== '' ? [] : ['summary is not a non-empty string']),
    ...(scope === null || /^\w+\.\w+$/.test(scope ?? '')
      ? []
      : ['scope is neither null nor of the form resource.verb']),
    ...(idempotent && method !== 'POST' ? ['only a POST can be idempotent'] : []),
    ...(idempotent && body === 'bytes' ? ['a POST of bytes cannot be idempotent'] : []),
    ...(method === 'GET' && body ? ['a GET has no body'] : []),
    ...ofSchema(params, 'params'),
    ...objectErrors(params, 'params'),
    ...paramsErrors(row),
    ...ofSchema(query, 'query'),
    ...objectErrors(query, 'query'),
    ...headerErrors(headers, 'headers', ofSchema),
    ...headerErrors(replyHeaders, 'replyHeaders', ofSchema),
    ...(body === 'bytes' || body === 'whole' ? [] : ofSchema(body ?? undefined, 'body')),
    ...(Number.isSafeInteger(maxBytes) && maxBytes > 0 ? [] : ['maxBytes is not a positive integer']),
    ...replyErrors(replies, ofSchema),
    ...(typeof row.handle === 'function' ? [] : ['handle is not a function']),
  ];
};

/** Returns why the gateway cannot serve a route, as parts of a sentence. Empty if it can. */
export const routeRowErrors = (row: AnyRouteRow): readonly string[] => rowErrors(row, schemaErrors);

/** The same for a route whose schemas are known to be valid, or are compiled when a request first needs them. */
export const routeFormErrors = (row: AnyRouteRow): readonly string[] => rowErrors(row, formErrors);

/** Returns the form of a path without the names of its parameters. Two routes with the same form and method are the same. */
export const routeForm = ({ method, path }: Pick<AnyRouteRow, 'method' | 'path'>): string =>
  `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
