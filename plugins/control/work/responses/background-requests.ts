import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { savedSlug } from '../../../../schema/text/slug-model.ts';
import { onlyNames } from '../../../sdk/http/header-lines.ts';
import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import type { JsonReply, OnceReply, RouteContext, RouteReply } from '../../../sdk/route/route-row.ts';
import { toStoredCaller } from '../../access/identity/principal-now.ts';
import { claimPlace } from '../../kernel/fairness/shared-pools.ts';
import { conflict } from '../../kernel/requests/refusals.ts';
import { ok } from '../../kernel/requests/replies.ts';
import { newId } from '../../kernel/store/new-id.ts';
import { rejectCustomDestination } from '../provider-requests/account.ts';
import { backgroundKind } from './background-job.ts';
import {
  notInBackground,
  type OneResponse,
  onlyInBackground,
  type ResponseOptions,
  readContinued,
  requestFromNamedProvider,
} from './one-response.ts';
import { followedAnswer, type ResponseParts } from './response-feed.ts';
import { cancelledResponse, completeResponse, openResponse, ownPrefix } from './response-rewriter.ts';
import {
  endResponse,
  eventsFrom,
  findResponse,
  insertEvents,
  nextNumber,
  type OneBackground,
  readStatus,
} from './response-store.ts';

/** The headers that are stored for sending the request later: names of saved records, and nothing secret. */
export const storedHeaders: readonly string[] = [
  ...['x-gw-config', 'x-gw-provider', 'x-gw-virtual-key', 'x-gw-metadata', 'baggage', 'x-gw-request-timeout'],
  ...['x-gw-cache-force-refresh', 'x-gw-cache-namespace', 'x-gw-strict-llmv-compliance'],
  ...['x-gw-deadline', 'x-gw-max-cost', 'x-gw-anthropic-beta', 'x-gw-anthropic-version'],
];

/** Headers with which a request brings its own credential. */
const credentials = ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key'];

/** Whether a request names a saved provider, whose credential is sent. Libraries send a key even so, which is ignored. */
const namesSaved = ({ model }: JsonObject, headers: RawHeaders): boolean =>
  headerValue(headers, 'x-gw-virtual-key') !== undefined ||
  savedSlug(headerValue(headers, 'x-gw-provider') ?? findText(model)) !== undefined;

const useSaved = 'Name a saved provider, virtual key or config.';

/** Rejects a request that cannot be sent later as it is. */
const refusal = (body: JsonObject, headers: RawHeaders): JsonReply | undefined => {
  if (body.store === false) return notInBackground('store', 'with store: false. Omit store.');
  if (!namesSaved(body, headers) && credentials.some((name) => headerValue(headers, name) !== undefined))
    return notInBackground('background', `with a credential of the request, which is not stored. ${useSaved}`);
  return headerValue(headers, 'x-gw-config')?.trimStart().startsWith('{') === true
    ? notInBackground('background', `by a config that the request brings. ${useSaved}`)
    : undefined;
};

const notStarted = (reply: JsonReply): OnceReply => ({ reply, kept: Promise.resolve(undefined) });

/** Starts a response in the background, and answers immediately with its current state, or with its events. */
export const startBackground = async (
  parts: ResponseParts,
  { body, asked: { previous, streams } }: { readonly body: JsonObject; readonly asked: ResponseOptions },
  { tenant, principal, headers, traceId, cancellation }: RouteContext,
): Promise<OnceReply> => {
  const { kept, jobs, pools, now } = parts;
  const refused = refusal(body, headers);
  if (refused !== undefined) return notStarted(refused);
  rejectCustomDestination(headers, 'background');
  const found = await readContinued(kept, tenant, previous);
  if (found !== undefined && 'status' in found) return notStarted(found);
  // Claimed first, so that a refused request has started nothing.
  const place = streams ? await claimPlace(pools.eventStreams, { tenant, cancellation }) : undefined;
  const created = now();
  const id = `${ownPrefix}${newId(created)}`;
  const response = openResponse({ id, body, created });
  const outcome = await kept
    .keep(
      tenant,
      {
        ...{ response, input: body.input ?? [], isNative: false, previous, createdBy: principal.keyId },
        request: {
          ...{ body, headers: onlyNames(headers, storedHeaders), trace: traceId },
          // It contains only JSON.
          caller: toStoredCaller(principal) as unknown as Json,
        },
      },
      (writing) => jobs.add(writing, { kind: backgroundKind, id, tenant, payload: {} }),
    )
    .catch((error: unknown) => {
      place?.release();
      throw error;
    });
  if (outcome === 'too-large') {
    place?.release();
    return notStarted(notInBackground('input', 'from an input that is too large to be stored.'));
  }
  jobs.wake();
  const reply =
    place === undefined ? ok(response) : await followedAnswer(parts, { tenant, cancellation, id, from: 0 }, place);
  return { reply, kept: Promise.resolve(id) };
};

type CancelParts = Pick<ResponseParts, 'store' | 'seals' | 'kept' | 'now'>;

/** The maximum number of attempts to write before the job that writes events does. */
const maxTries = 50;

const readAllEvents = async ({ store, seals }: CancelParts, one: OneBackground): Promise<readonly JsonObject[]> => {
  const all: JsonObject[] = [];
  for (let from = 0; ; ) {
    const rows = await eventsFrom(store.db, one, from);
    if (rows.length === 0) return all;
    for (const { number, following, events } of rows) {
      all.push(...(await seals.openEvents(one, number, events)));
      from = following;
    }
  }
};

/** Ends a response; undefined, without writing, if it has already ended or events arrived meanwhile. */
const endCancelled = async (
  parts: CancelParts,
  one: OneBackground,
  before: JsonObject,
): Promise<JsonObject | undefined> => {
  const { store, seals } = parts;
  const number = await nextNumber(store.db, one);
  const response = cancelledResponse(before, await readAllEvents(parts, one));
  const columns = await seals.sealEnd(one, before, response);
  const events = await seals.sealEvents(one, number, [
    { type: 'response.incomplete', sequence_number: number, response },
  ]);
  return store.write(async (writing) => {
    if ((await readStatus(writing, one)) !== 'in_progress' || (await nextNumber(writing, one)) !== number)
      return undefined;
    await insertEvents(writing, one, { number, following: number + 1, events });
    await endResponse(writing, one, columns);
    return response;
  });
};

/** Cancels a response that is made in the background; one that has ended stays as it is. */
export const cancelBackground = async (
  parts: CancelParts,
  request: OneResponse,
  context: RouteContext,
): Promise<RouteReply> => {
  const { store, seals, kept, now } = parts;
  const one = { tenant: context.tenant, id: request.id };
  for (let tries = 0; tries < maxTries; tries += 1) {
    const row = await findResponse(store.db, { ...one, now: now() });
    if (row === undefined) return requestFromNamedProvider(kept, request, context);
    if (row.request === null) return onlyInBackground(request.id, 'cancelled');
    const { response } = await seals.response(row);
    if (row.status !== 'in_progress') return ok(completeResponse(response));
    const ended = await endCancelled(parts, one, response);
    if (ended !== undefined) return ok(ended);
  }
  throw conflict(`The response "${request.id}" could not be cancelled.`, 'Send the request again.');
};
