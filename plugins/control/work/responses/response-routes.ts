import { writtenText } from '../../../../schema/json/json.ts';
import type { GatewayResponse } from '../../../sdk/http/http.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { RouteContext, RouteReply } from '../../../sdk/route/route-row.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { ok } from '../../kernel/requests/replies.ts';
import type { WorkParts } from '../provider-requests/work-parts.ts';
import { backgroundJob } from './background-job.ts';
import { cancelBackground } from './background-requests.ts';
import { createResponse } from './create-response.ts';
import {
  nativeSlug,
  type OneResponse,
  readSearch,
  requestFromNamedProvider,
  requestFromProvider,
} from './one-response.ts';
import { answers, deletedSchema, readRoutes, responseSchema } from './read-routes.ts';
import { createResponseFeed, type ResponseParts } from './response-feed.ts';
import { outputItems } from './sent-response.ts';
import { createStoredResponses, ResponseSeals } from './stored-responses.ts';

/** Checks whether a provider may still have what it was asked to delete. */
const mayRemain = ({ status, origin }: GatewayResponse): boolean =>
  status >= 500 || status === 429 || origin === 'network' || origin === 'timeout';

/**
 * Deletes a response. If its provider stores it too, it is deleted there first, so that the request can be repeated if that
 * fails.
 */
const removeResponse = async (
  { kept, storedItems }: ResponseParts,
  request: OneResponse,
  context: RouteContext,
): Promise<RouteReply> => {
  const { id } = request;
  const found = await kept.find(context.tenant, id);
  if (found === undefined) return requestFromNamedProvider(kept, request, context);
  const slug = nativeSlug(found);
  const answer = slug === undefined ? undefined : await requestFromProvider(request, context, slug);
  if (answer !== undefined && mayRemain(answer)) return answer;
  if (answer?.body.kind === 'stream') answer.body.discard();
  // The items of its output are stored separately too.
  await storedItems.remove(
    context.tenant,
    outputItems(found.response).map((item) => writtenText(item.id ?? '')),
  );
  await kept.remove(context.tenant, id);
  return ok({ id, object: 'response', deleted: true });
};

/** The routes of responses. All other paths below `/responses` are passed to providers. */
export const responseRoutes = (
  given: Pick<WorkParts, 'sealer'> & Omit<ResponseParts, 'kept' | 'seals' | 'feed'>,
): readonly ControlRoute[] => {
  const seals = new ResponseSeals(given.sealer);
  const parts: ResponseParts = {
    ...given,
    seals,
    kept: createStoredResponses(given),
    feed: createResponseFeed(given.store, seals),
  };
  // Routes are also listed without a store, where no jobs run.
  parts.jobs?.register(backgroundJob(parts));
  const common = { scope: 'completions.write', shared: true } as const;
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/responses',
      operationId: 'create_response',
      summary: 'Creates a model response, and stores it if the request or its workspace says so.',
      idempotent: true,
      query: { type: 'object', additionalProperties: true },
      body: 'whole',
      replies: { 200: answers, default: answers },
      handle: ({ received, query }, context) => createResponse(parts, { received, search: readSearch(query) }, context),
    }),
    ...readRoutes(parts),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/responses/{id}',
      operationId: 'delete_response',
      summary: 'Deletes a response, including the copy at its provider.',
      replies: { 200: deletedSchema, default: answers },
      handle: ({ params: { id } }, context) =>
        removeResponse(parts, { method: 'DELETE', id, rest: '', query: {} }, context),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/responses/{id}/cancel',
      operationId: 'cancel_response',
      summary: 'Cancels a response that is being created in the background.',
      replies: { 200: responseSchema, default: answers },
      handle: ({ params: { id } }, context) =>
        cancelBackground(parts, { method: 'POST', id, rest: '/cancel', query: {} }, context),
    }),
  ];
};
