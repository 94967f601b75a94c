import { defineRoute } from '../../../plugins/sdk/define-route.ts';
import type { AnyRouteRow } from '../../../plugins/sdk/route-row.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { openApi } from './open-api.ts';
import { openApiPath } from './open-api-path.ts';

/** The route at which the control plane describes its routes, this one included. */
export const openApiRow = (rows: readonly AnyRouteRow[]): AnyRouteRow => {
  let written: JsonObject | undefined;
  const row: AnyRouteRow = defineRoute({
    method: 'GET',
    path: openApiPath,
    operationId: 'describe_api',
    summary: 'Describes the endpoints of the control plane as an OpenAPI 3.1 document.',
    scope: null,
    replies: { 200: { type: 'object', required: ['openapi', 'info', 'paths'], additionalProperties: true } },
    handle: () => {
      written ??= openApi([...rows, row]);
      return { status: 200, body: written };
    },
  });
  return row;
};
