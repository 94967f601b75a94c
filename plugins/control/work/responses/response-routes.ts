import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import type { WorkParts } from '../accounts/work-parts.ts';
import { backgroundJob } from './background/background-job.ts';
import { cancelBackground } from './background/cancel-background.ts';
import type { FollowParts } from './background/followed-events.ts';
import { createResponseFeed } from './background/response-feed.ts';
import { sharedEvents } from './background/shared-events.ts';
import { startBackground } from './background/start-background.ts';
import { createResponse } from './create-response.ts';
import { readRoutes } from './read-routes.ts';
import { removeResponse } from './remove-response.ts';
import { deletedSchema, responseSchema } from './response-schemas.ts';
import { answers } from './shapes.ts';
import { createContinued } from './stored/continued.ts';
import { readSearch } from './stored/one-response.ts';
import { createResponseSeals } from './stored/response-seals.ts';
import { createStoredResponses } from './stored/stored-responses.ts';

type ResponseParts = Pick<
  WorkParts,
  'store' | 'sealer' | 'now' | 'jobs' | 'principalNow' | 'usageKept' | 'pools' | 'storedItems'
>;

/** The routes of responses. All else below `/responses` is passed to providers. */
export const responseRoutes = ({
  store,
  sealer,
  now,
  jobs,
  principalNow,
  usageKept,
  pools,
  storedItems,
}: ResponseParts): readonly ControlRoute[] => {
  const kept = createStoredResponses({ store, sealer, now });
  const seals = createResponseSeals(sealer);
  const continued = createContinued(kept);
  const feed = createResponseFeed(store);
  const following: FollowParts = { store, feed, pools, readFrames: sharedEvents({ store, seals }) };
  const start = jobs && startBackground({ ...following, kept, continued, jobs, now });
  if (jobs !== undefined && principalNow !== undefined)
    jobs.register(backgroundJob({ store, seals, feed, continued, principalNow, usageKept, now }));
  const create = createResponse({ ...following, kept, continued, start, now });
  const cancel = cancelBackground({ store, seals, kept, now });
  const remove = removeResponse({ kept, storedItems });
  const common = { scope: 'completions.write', shared: true } as const;
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/responses',
      operationId: 'create_response',
      summary: 'Answers with a response of a model, and keeps it if the request or its workspace says so.',
      idempotent: true,
      query: { type: 'object', additionalProperties: true },
      body: 'whole',
      replies: { 200: answers, default: answers },
      handle: ({ received, query }, context) => create({ received, search: readSearch(query) }, context),
    }),
    ...readRoutes({ ...following, kept }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/responses/{id}',
      operationId: 'delete_response',
      summary: 'Deletes a response, also where its provider keeps it.',
      replies: { 200: deletedSchema, default: answers },
      handle: ({ params: { id } }, context) => remove({ method: 'DELETE', id, rest: '', query: {} }, context),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/responses/{id}/cancel',
      operationId: 'cancel_response',
      summary: 'Cancels a response that is made in the background.',
      replies: { 200: responseSchema, default: answers },
      handle: ({ params: { id } }, context) => cancel({ method: 'POST', id, rest: '/cancel', query: {} }, context),
    }),
  ];
};
