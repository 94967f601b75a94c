import { gatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { RouteContext, RouteReply } from '../../../../sdk/route/route-row.ts';
import { ok } from '../../../kernel/requests/replies.ts';
import type { Store } from '../../../kernel/store/store.ts';
import { askNamed, type OneResponse } from '../stored/one-response.ts';
import { onlyInBackground } from '../stored/response-refusals.ts';
import type { ResponseSeals } from '../stored/response-seals.ts';
import { findResponse } from '../stored/response-store.ts';
import { specifiedResponse } from '../stored/specified-response.ts';
import type { StoredResponses } from '../stored/stored-responses.ts';
import { endResponse, eventsFrom, insertEvents, nextNumber, type OneBackground, readStatus } from './events-store.ts';
import { cancelledResponse } from './open-response.ts';

export interface CancelParts {
  readonly store: Store;
  readonly seals: ResponseSeals;
  readonly kept: Pick<StoredResponses, 'isOfAnother'>;
  readonly now: () => number;
}

/** How often it is tried to be quicker than the job that writes events. */
const maxTries = 50;

/** Cancels a response that is made in the background; one that has ended stays as it is. */
export const cancelBackground = ({ store, seals, kept, now }: CancelParts) => {
  const allEvents = async (one: OneBackground): Promise<readonly JsonObject[]> => {
    const all: JsonObject[] = [];
    for (let from = 0; ; ) {
      const rows = await eventsFrom(store.db, one, from);
      const last = rows.at(-1);
      if (last === undefined) return all;
      for (const { number, events } of rows) all.push(...(await seals.openEvents({ ...one, number }, events)));
      from = last.following;
    }
  };

  /** Whether the response has ended by this: not if events came meanwhile. */
  const cancelled = async (one: OneBackground, before: JsonObject): Promise<JsonObject | undefined> => {
    const number = await nextNumber(store.db, one);
    const response = cancelledResponse(before, await allEvents(one));
    const event = { type: 'response.incomplete', sequence_number: number, response };
    const text = JSON.stringify(response);
    const columns = {
      ...{ status: 'incomplete', bytes: Buffer.byteLength(text) },
      response: await seals.seal({ ...one, field: 'response' }, text),
    };
    const events = await seals.seal({ ...one, field: `event ${number}` }, JSON.stringify([event]));
    let isWritten = false;
    await store.write(async (writing) => {
      isWritten = (await readStatus(writing, one)) === 'in_progress' && (await nextNumber(writing, one)) === number;
      if (!isWritten) return;
      const place = { workspace_id: one.tenant, response_id: one.id, number, following: number + 1 };
      await insertEvents(writing, { ...place, events });
      await endResponse(writing, one, columns);
    });
    return isWritten ? response : undefined;
  };

  return async (request: OneResponse, context: RouteContext): Promise<RouteReply> => {
    const one = { tenant: context.tenant, id: request.id };
    for (let tries = 0; tries < maxTries; tries += 1) {
      const row = await findResponse(store.db, { ...one, now: now() });
      if (row === undefined) return askNamed(kept, request, context);
      if (row.request === null) return onlyInBackground(request.id, 'cancelled');
      const { response } = await seals.response(row);
      if (row.status !== 'in_progress') return ok(specifiedResponse(response));
      const ended = await cancelled(one, response);
      if (ended !== undefined) return ok(ended);
    }
    throw gatewayError('conflict', {
      fact: `The response "${request.id}" could not be cancelled.`,
      suggestion: 'Send the request again.',
    });
  };
};
