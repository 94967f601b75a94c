import { setTimeout } from 'node:timers/promises';
import { isSuccess } from '../../../../../schema/http/status.ts';
import { isJsonObject, type JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, findText, toTexts } from '../../../../../schema/json/loose.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import type { Principal, TenantId } from '../../../../sdk/exchange/exchange.ts';
import { maxQueuedClaims } from '../../../../sdk/fairness/fair-pool.ts';
import type { GatewayResponse } from '../../../../sdk/http/http.ts';
import { toBuffer } from '../../../../sdk/http/to-buffer.ts';
import { createCancellation } from '../../../../sdk/time/cancellation.ts';
import { orCancelled } from '../../../../sdk/time/or-cancelled.ts';
import type { PrincipalNow, StoredCaller } from '../../../access/identity/principal-now.ts';
import { type JobKind, type JobOutcome, jobDone, type RunningJob } from '../../../kernel/jobs/job-queue.ts';
import type { Store } from '../../../kernel/store/store.ts';
import { rebuiltInput } from '../input/rebuilt-input.ts';
import { sendResponse } from '../input/sent-response.ts';
import type { Continued } from '../stored/continued.ts';
import type { ResponseSeals } from '../stored/response-seals.ts';
import { findResponse } from '../stored/response-store.ts';
import { maxKeptBytes } from '../stored/stored-responses.ts';
import { type BackgroundEnd, BackgroundEvents } from './background-events.ts';
import { backgroundForm, cancelledResponse, failedResponse, openResponse } from './open-response.ts';
import { readEvents } from './read-events.ts';
import type { ResponseFeed } from './response-feed.ts';

/** The kind of the jobs that make responses. */
export const backgroundKind = 'response';

export interface BackgroundParts {
  readonly store: Store;
  readonly seals: ResponseSeals;
  readonly feed: ResponseFeed;
  readonly continued: Continued;
  readonly principalNow: PrincipalNow;
  /** Resolves when what requests have used so far outlasts this process. */
  readonly usageKept: () => Promise<void>;
  readonly now: () => number;
}

/** How often events are written, and how often it is asked whether the response was cancelled, in milliseconds. */
const writeEveryMs = 200;

const concurrency = 256;

const ended = /^response\.(?:completed|incomplete|failed)$/;

/** A response that a job makes. */
interface Making {
  readonly job: RunningJob;
  readonly events: BackgroundEvents;
  readonly body: JsonObject;
  readonly open: JsonObject;
  readonly head: Parameters<typeof backgroundForm>[0];
  /** Waits until what it used is in the ledger, so that no process that is killed leaves a response without it. */
  accounted(): Promise<void>;
}

const endEvent = (response: JsonObject): JsonObject => ({ type: `response.${String(response.status)}`, response });

/** Ends a response without an answer. */
const endWith = async ({ events }: Making, response: JsonObject, maker: Omit<BackgroundEnd, 'response'> = {}) => {
  events.push(endEvent(response));
  await events.write({ ...maker, response });
  return jobDone;
};

const toMaker = ({ leaf }: GatewayResponse): Omit<BackgroundEnd, 'response'> =>
  leaf?.maker === undefined ? {} : { slug: leaf.maker.slug ?? null, scope: leaf.maker.scope };

/** What went wrong, by an answer that is an error. */
const readError = (bytes: Uint8Array): { readonly code: string; readonly message: string } => {
  const error = findObject(parseObject(toBuffer(bytes).toString())?.error);
  return {
    code: findText(error?.code) ?? findText(error?.type) ?? 'server_error',
    message: findText(error?.message) ?? 'The provider did not answer.',
  };
};

/** The answer of a provider that does not stream, or an error. */
const takeWhole = async (making: Making, answer: GatewayResponse, bytes: Uint8Array): Promise<JobOutcome> => {
  await making.accounted();
  const given = isSuccess(answer.status) ? parseObject(toBuffer(bytes).toString()) : undefined;
  if (given?.object === 'response') return endWith(making, backgroundForm(making.head).of(given), toMaker(answer));
  const { code, message } = readError(bytes);
  return endWith(making, failedResponse(making.open, code, message), toMaker(answer));
};

/** Takes the events of an answer as they come. */
const takeStream = async (making: Making, answer: GatewayResponse, cancel: () => void): Promise<JobOutcome> => {
  const { job, events, open, head } = making;
  if (answer.body.kind !== 'stream') return takeWhole(making, answer, answer.body.bytes);
  const form = backgroundForm(head);
  let last: JsonObject | undefined;
  let bytes = 0;
  const reading = readEvents(answer.body, (event) => {
    bytes += JSON.stringify(event).length;
    if (last !== undefined || bytes > maxKeptBytes) return;
    const response = findObject(event.response);
    const next = response === undefined ? event : { ...event, response: form.of(response) };
    if (response !== undefined && ended.test(String(event.type))) last = form.of(response);
    events.push(next);
  });
  let isOver = false;
  void reading.then(() => {
    isOver = true;
  });
  while (!isOver && last === undefined && bytes <= maxKeptBytes) {
    await Promise.race([reading, setTimeout(writeEveryMs)]);
    if (last === undefined && !(await events.write())) {
      cancel();
      return jobDone;
    }
  }
  if (last !== undefined) {
    await Promise.race([reading, setTimeout(writeEveryMs)]);
    // What it used is known when the stream has ended, which a provider that goes on does not decide.
    if (!isOver) cancel();
    await reading;
    await making.accounted();
    await events.write({ ...toMaker(answer), response: last });
    return jobDone;
  }
  cancel();
  // Another process, or this one after its start, makes it again.
  if (job.cancellation.cancelled) throw new Error('The gateway was stopped while a response was made.');
  const why = isOver ? 'The answer of the provider broke off.' : 'The response is larger than what is kept.';
  return endWith(making, failedResponse(open, 'server_error', why), toMaker(answer));
};

/** The request as it is sent: a stream, which its provider need not keep. */
const sentBody = ({ background: _background, ...body }: JsonObject): JsonObject => ({
  ...body,
  stream: true,
  store: false,
});

/** Makes responses outside of requests, as whoever asked for them is now. */
export const backgroundJob = (parts: BackgroundParts): JobKind => {
  const { store, seals, feed, continued, principalNow, usageKept, now } = parts;

  const make = async (making: Making, request: JsonObject, principal: Principal): Promise<JobOutcome> => {
    const { job, body, open } = making;
    const previous = findText(body.previous_response_id);
    const found = previous === undefined ? undefined : await continued(job.tenant as TenantId, previous);
    if (found !== undefined && 'status' in found) {
      const { code, message } = readError(Buffer.from(JSON.stringify(found.body)));
      return endWith(making, failedResponse(open, code, message));
    }
    const { cancellation, cancel } = createCancellation();
    const stopListening = job.cancellation.onCancel(cancel);
    const sent = sentBody(body);
    const bytes = Buffer.from(JSON.stringify(sent));
    try {
      const answer = await sendResponse(
        {
          body: sent,
          received: {
            ...{ contentType: 'application/json', encoding: undefined, length: bytes.length },
            body: { kind: 'bytes', bytes },
          },
          ...{ keeps: true, truncates: body.truncation === 'auto', previous: found?.links.at(-1) },
          ...(found?.isWhole === true ? { before: rebuiltInput(found.links) } : {}),
        },
        {
          dispatch: job.gateway.dispatch({ traceId: findText(request.trace) ?? '', cancellation }),
          headers: toTexts(request.headers),
          principal,
        },
      );
      return await takeStream(making, answer, cancel);
    } catch (error) {
      cancel();
      throw error;
    } finally {
      stopListening();
    }
  };

  return {
    name: backgroundKind,
    concurrency,
    queue: { maxQueued: maxQueuedClaims, what: 'responses in the background' },
    async run(job) {
      const one = { tenant: job.tenant as TenantId, id: job.id };
      const row = await findResponse(store.db, { ...one, now: now() });
      if (row?.status !== 'in_progress' || row.request === null) return jobDone;
      const request = await seals.open(row, 'request');
      if (!isJsonObject(request)) return jobDone;
      const body = findObject(request.body) ?? {};
      const head = { id: job.id, body, created: row.created_at };
      const open = openResponse(head);
      const events = await BackgroundEvents.open({ store, seals, feed, job, one });
      const accounted = (): Promise<void> => orCancelled(usageKept(), job.cancellation);
      const making: Making = { job, body, open, head, events, accounted };
      // What is stored of a caller is what was put there.
      const caller = request.caller as unknown as StoredCaller;
      const principal = await principalNow(one.tenant, caller);
      try {
        if (principal === undefined) return await endWith(making, cancelledResponse(open, []));
        return await make(making, request, principal);
      } finally {
        events.close();
      }
    },
  };
};
