import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { RouteContext, RouteReply } from '../../../../sdk/route/route-row.ts';
import { conflict } from '../../../kernel/requests/refusals.ts';
import { ok } from '../../../kernel/requests/replies.ts';
import { specifiedResponse } from '../stored/answer-form.ts';
import { onlyInBackground } from '../stored/asked-response.ts';
import { askNamed, type OneResponse } from '../stored/one-response.ts';
import { findResponse } from '../stored/response-store.ts';
import { endResponse, eventsFrom, insertEvents, nextNumber, type OneBackground, readStatus } from './events-store.ts';
import { cancelledResponse } from './open-response.ts';
import type { ResponseParts } from './response-parts.ts';

type CancelParts = Pick<ResponseParts, 'store' | 'seals' | 'kept' | 'now'>;

/** How often it is tried to be quicker than the job that writes events. */
const maxTries = 50;

const readAllEvents = async ({ store, seals }: CancelParts, one: OneBackground): Promise<readonly JsonObject[]> => {
  const all: JsonObject[] = [];
  for (let from = 0; ; ) {
    const rows = await eventsFrom(store.db, one, from);
    const last = rows.at(-1);
    if (last === undefined) return all;
    for (const { number, events } of rows) all.push(...(await seals.openEvents({ ...one, number }, events)));
    from = last.following;
  }
};

/** Ends a response; undefined, and nothing is written, if it has ended already or events came meanwhile. */
const endCancelled = async (
  parts: CancelParts,
  one: OneBackground,
  before: JsonObject,
): Promise<JsonObject | undefined> => {
  const { store, seals } = parts;
  const number = await nextNumber(store.db, one);
  const response = cancelledResponse(before, await readAllEvents(parts, one));
  const event = { type: 'response.incomplete', sequence_number: number, response };
  const columns = await seals.sealEnd(one, response);
  const events = await seals.sealEvents({ ...one, number }, [event]);
  return store.write(async (writing) => {
    const isOpen = (await readStatus(writing, one)) === 'in_progress';
    if (!isOpen || (await nextNumber(writing, one)) !== number) return undefined;
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
    if (row === undefined) return askNamed(kept, request, context);
    if (row.request === null) return onlyInBackground(request.id, 'cancelled');
    const { response } = await seals.response(row);
    if (row.status !== 'in_progress') return ok(specifiedResponse(response));
    const ended = await endCancelled(parts, one, response);
    if (ended !== undefined) return ok(ended);
  }
  throw conflict(`The response "${request.id}" could not be cancelled.`, 'Send the request again.');
};
