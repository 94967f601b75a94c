import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { defineRoute } from '../../../plugins/sdk/route/define-route.ts';
import type { AnyRouteRow } from '../../../plugins/sdk/route/route-row.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { openApiPath } from '../../route-matching/open-api-path.ts';

/** Returns the route at which the gateway describes its routes, including this one, and those of the dialects of its plugins. */
export const openApiRow = (rows: readonly AnyRouteRow[], plugins: readonly Plugin[]): AnyRouteRow => {
  let written: Promise<JsonObject> | undefined;
  const write = async (): Promise<JsonObject> => {
    const { openApi } = await import('./document.ts');
    return openApi([...rows, row], plugins);
  };
  const row: AnyRouteRow = defineRoute({
    method: 'GET',
    path: openApiPath,
    operationId: 'describe_api',
    summary: 'Describes the endpoints of the gateway as an OpenAPI 3.1 document.',
    scope: null,
    replies: {
      200: {
        title: 'OpenApiDocument',
        type: 'object',
        required: ['openapi', 'info', 'paths'],
        properties: {
          openapi: { type: 'string' },
          info: { type: 'object', additionalProperties: true },
          paths: { type: 'object', additionalProperties: true },
        },
        additionalProperties: true,
      },
    },
    handle: async () => {
      // A dialect that could not be loaded is tried again.
      written ??= write().catch((error: unknown) => {
        written = undefined;
        throw error;
      });
      return { status: 200, body: await written };
    },
  });
  return row;
};
