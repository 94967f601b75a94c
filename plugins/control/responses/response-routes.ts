import { defineRoute } from '../../sdk/define-route.ts';
import type { AnyRouteRow } from '../../sdk/route-row.ts';
import type { ControlParts } from '../control-parts.ts';
import { createResponse } from './create-response.ts';
import { createKeptResponses } from './kept-responses.ts';
import { readRoutes } from './read-routes.ts';
import { removeResponse } from './remove-response.ts';
import { deletedSchema } from './response-schemas.ts';
import { answers } from './shapes.ts';

/** The routes of responses. All else below `/responses` is passed to providers. */
export const responseRoutes = ({
  store,
  sealer,
  now,
}: Pick<ControlParts, 'store' | 'sealer' | 'now'>): readonly AnyRouteRow[] => {
  const kept = createKeptResponses({ store, sealer, now });
  const create = createResponse({ kept, now });
  const remove = removeResponse(kept);
  const common = { scope: 'completions.write', shared: true } as const;
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/responses',
      operationId: 'create_response',
      summary: 'Answers with a response of a model, and keeps it if the request or its workspace says so.',
      query: { type: 'object', additionalProperties: true },
      body: 'whole',
      replies: { 200: answers, default: answers },
      handle: ({ received }, context) => create(received, context),
    }),
    ...readRoutes(kept),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/responses/{id}',
      operationId: 'delete_response',
      summary: 'Deletes a response, also where its provider keeps it.',
      replies: { 200: deletedSchema, default: answers },
      handle: ({ params: { id } }, context) => remove({ method: 'DELETE', id, rest: '', query: {} }, context),
    }),
  ];
};
