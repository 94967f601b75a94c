import { STATUS_CODES } from '../../../plugins/sdk/http/node-http.ts';
import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import type { AnyRouteRow, RouteReplies, RouteReplyForm } from '../../../plugins/sdk/route/route-row.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { documentedSchema } from './documented-schema.ts';
import { toPascalCase } from './to-pascal-case.ts';

type Place = (schema: JsonObject) => JsonObject;

const toContent = (form: RouteReplyForm, place: Place): JsonObject => {
  if (form === 'bytes') return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  if (form === 'lines') return { 'application/x-ndjson': { schema: { type: 'string' } } };
  if (form === 'events') return { 'text/event-stream': { schema: { type: 'string' } } };
  // Answers may gain members. Readers must ignore those that they do not know.
  return { 'application/json': { schema: place({ ...(form as JsonObject) }) } };
};

/** The statuses that only the gateway has. https://www.rfc-editor.org/rfc/rfc9110#section-15 names the others. */
const ownStatuses: Readonly<Record<string, string>> = {
  default: 'Any other answer',
  246: 'Checks failed without denying',
  446: 'Denied by a check',
};

/** Returns the description of a status. */
export const describeStatus = (status: string): string => ownStatuses[status] ?? STATUS_CODES[status] ?? 'An answer';

/** The header that every answer has. */
export const traceId: JsonObject = { 'x-gw-trace-id': { $ref: '#/components/headers/TraceId' } };

const toHeader = ({ description, ...schema }: ParameterSchema): JsonObject => ({
  ...(description === undefined ? {} : { description }),
  schema: documentedSchema(schema),
});

/** Returns the headers that replies of a row with a status can have. */
const headersOf = ({ replyHeaders, idempotent }: AnyRouteRow, status: string): JsonObject => ({
  ...traceId,
  ...(Number(status) >= 400
    ? {}
    : {
        ...Object.fromEntries(
          Object.entries(replyHeaders?.properties ?? {}).map(([name, schema]) => [name, toHeader(schema)]),
        ),
        ...(idempotent === true && { 'idempotent-replayed': { $ref: '#/components/headers/IdempotentReplayed' } }),
      }),
});

/** Describes the reply of a row with a status. `place` defines how schemas are written. */
export const toReply = (
  row: AnyRouteRow,
  { status, reply, place }: { readonly status: string; readonly reply: RouteReplies[number]; readonly place: Place },
): JsonObject => {
  const forms: readonly RouteReplyForm[] = Array.isArray(reply) ? reply : [reply as RouteReplyForm];
  const content: JsonObject = Object.assign({}, ...forms.map((form) => toContent(form, place)));
  return {
    description: describeStatus(status),
    headers: headersOf(row, status),
    ...(status === '204' ? {} : { content }),
  };
};

const toName = (status: number): string => toPascalCase(describeStatus(String(status)));

/** Returns a reference to an error of the control plane. */
export const errorReference = (status: number): JsonObject => ({ $ref: `#/components/responses/${toName(status)}` });

const errorResponse = (status: number): JsonObject => ({
  description: describeStatus(String(status)),
  headers: {
    ...traceId,
    ...(status === 405
      ? { allow: { description: 'The methods that the path accepts.', schema: { type: 'string' } } }
      : {}),
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

/** Returns the errors of the control plane with these statuses, by name. */
export const errorResponses = (statuses: readonly number[]): JsonObject =>
  Object.fromEntries(statuses.map((status): [string, Json] => [toName(status), errorResponse(status)]));
