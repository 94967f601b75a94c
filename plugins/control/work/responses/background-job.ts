import { setTimeout } from 'node:timers/promises';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import { isJsonObject, type JsonObject, writtenText } from '../../../../schema/json/json.ts';
import { findObject, findText, toTexts } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Principal, TenantId } from '../../../sdk/exchange/exchange.ts';
import { maxQueuedClaims } from '../../../sdk/fairness/fair-pool.ts';
import type { Split } from '../../../sdk/framings/framing.ts';
import { sse } from '../../../sdk/framings/sse.ts';
import type { GatewayResponse, StreamBody } from '../../../sdk/http/http.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import { createCancellation } from '../../../sdk/time/cancellation.ts';
import { settledOrCancelled } from '../../../sdk/time/settled-or-cancelled.ts';
import type { StoredCaller } from '../../access/identity/principal-now.ts';
import {
  type JobKind,
  type JobOutcome,
  jobDone,
  type RunningJob,
  retryWhileStoreUnavailable,
} from '../../kernel/jobs/job-queue.ts';
import { answerChunks } from '../provider-requests/answer-bytes.ts';
import { readContinued } from './one-response.ts';
import type { ResponseParts } from './response-feed.ts';
import {
  type BackgroundHead,
  backgroundForm,
  cancelledResponse,
  failedResponse,
  openResponse,
} from './response-rewriter.ts';
import {
  type EndedColumns,
  endResponse,
  findResponse,
  insertEvents,
  nextNumber,
  type OneBackground,
  readStatus,
} from './response-store.ts';
import { readError, sendResponse } from './sent-response.ts';
import { maxKeptBytes } from './stored-responses.ts';

/** The provider that made a response. */
type Maker = Partial<Pick<EndedColumns, 'slug' | 'scope'>>;

/**
 * Opens the events of a response while a job makes it, numbered in order. If another process takes the job over, the numbers
 * continue after the existing events.
 */
const openBackgroundEvents = async (
  { store, seals, feed }: Pick<ResponseParts, 'store' | 'seals' | 'feed'>,
  job: Pick<RunningJob, 'commit' | 'cancellation'>,
  { one, open }: { readonly one: OneBackground; readonly open: JsonObject },
) => {
  const { cancellation, cancel } = createCancellation();
  let next = await nextNumber(store.db, one);
  let pending: JsonObject[] = [];
  /** Whether the response was cancelled or is gone. */
  let isOver = false;
  void feed.waitForEnd({ ...one, cancellation }).then(() => {
    isOver = true;
  });

  return {
    push({ type, ...members }: JsonObject): void {
      pending.push({ ...(type === undefined ? {} : { type }), ...members, sequence_number: next + pending.length });
    },
    /**
     * Writes the waiting events, and at the end the response too. Resolves to false if the response was cancelled, or if another
     * job has it.
     */
    async write(end?: Maker & { readonly response: JsonObject }): Promise<boolean> {
      const events = pending;
      if (events.length === 0 && end === undefined) return !isOver;
      const number = next;
      const following = number + events.length;
      pending = [];
      next = following;
      const [sealed, columns] = await retryWhileStoreUnavailable(job, () =>
        Promise.all([seals.sealEvents(one, number, events), end && seals.sealEnd(one, open, end.response)]),
      );
      let isOpen = false;
      const outcome = await retryWhileStoreUnavailable(job, () =>
        job.commit(async (writing) => {
          isOpen = (await readStatus(writing, one)) === 'in_progress';
          if (isOpen && events.length > 0) await insertEvents(writing, one, { number, following, events: sealed });
          if (isOpen && columns !== undefined) await endResponse(writing, one, { ...end, ...columns });
        }, end && jobDone),
      );
      return outcome === 'committed' && isOpen;
    },
    /** Stops watching. */
    close: cancel,
  };
};

/** The kind of the jobs that make responses. */
export const backgroundKind = 'response';

/** The pause between two writes of events, each of which checks whether the response was cancelled, in milliseconds. */
const writeEveryMs = 200;

const ended = /^response\.(?:completed|incomplete|failed)$/;

/** A response that a job is making. */
interface Making {
  readonly job: RunningJob;
  readonly events: Awaited<ReturnType<typeof openBackgroundEvents>>;
  readonly open: JsonObject;
  readonly head: BackgroundHead;
  /** Waits until its usage is in the ledger, so that a killed process leaves no response without it. */
  accounted(): Promise<void>;
}

/** Ends a response without an answer, or with a complete one. */
const endWith = async ({ events }: Making, response: JsonObject, maker: Maker = {}): Promise<JobOutcome> => {
  events.push({ type: `response.${writtenText(response.status ?? '')}`, response });
  await events.write({ ...maker, response });
  return jobDone;
};

const toMaker = ({ leaf }: GatewayResponse): Maker =>
  leaf?.maker === undefined ? {} : { slug: leaf.maker.slug ?? null, scope: leaf.maker.scope };

/** Creates a failed response from an error answer. */
const failedBy = (open: JsonObject, error: JsonObject | undefined): JsonObject =>
  failedResponse(
    open,
    findText(error?.code) ?? findText(error?.type) ?? 'server_error',
    findText(error?.message) ?? 'The provider did not answer.',
  );

/** Throws if the job was cancelled: another process, or this one after a restart, makes the response again. */
const leaveIfCancelled = ({ cancellation }: RunningJob): void => {
  if (cancellation.cancelled) throw new Error('The gateway was stopped while a response was being created.');
};

/** Handles the answer of a provider that does not stream, or an error. */
const takeWhole = async (making: Making, answer: GatewayResponse, bytes: Uint8Array): Promise<JobOutcome> => {
  const given = isSuccess(answer.status) ? parseObject(toBuffer(bytes).toString()) : undefined;
  const isWhole = given?.object === 'response';
  // The error may only say that the call was cancelled with the job.
  if (!isWhole) leaveIfCancelled(making.job);
  await making.accounted();
  const response = isWhole ? backgroundForm(making.head).of(given) : failedBy(making.open, readError(bytes));
  return endWith(making, response, toMaker(answer));
};

/** Reads the JSON events of a stream until it ends or breaks off. */
const readEvents = async (body: StreamBody, take: (event: JsonObject) => void): Promise<void> => {
  const splitter = sse.createSplitter();
  const pass = ({ frames }: Split): void => {
    for (const event of frames.map(({ data }) => parseObject(data))) if (event !== undefined) take(event);
  };
  try {
    for await (const chunk of answerChunks(body)) pass(splitter.push(toBuffer(chunk)));
    pass(splitter.rest());
  } catch (error) {
    // A stream that breaks off has no final event.
    if (!(error instanceof GatewayError)) throw error;
  }
};

/** Handles the events of an answer as they arrive. */
const takeStream = async (making: Making, answer: GatewayResponse, cancel: () => void): Promise<JobOutcome> => {
  const { job, events, open, head } = making;
  if (answer.body.kind !== 'stream') return takeWhole(making, answer, answer.body.bytes);
  const form = backgroundForm(head);
  let last: JsonObject | undefined;
  let bytes = 0;
  let isOver = false;
  const reading = readEvents(answer.body, (event) => {
    bytes += JSON.stringify(event).length;
    if (last !== undefined || bytes > maxKeptBytes) return;
    const given = findObject(event.response);
    const response = given && form.of(given);
    if (ended.test(findText(event.type) ?? '')) last = response;
    events.push(response === undefined ? event : { ...event, response });
  }).finally(() => {
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
    // The usage is known when the stream has ended, so a provider that keeps sending is cut off.
    if (!isOver) cancel();
    await reading;
    await making.accounted();
    await events.write({ ...toMaker(answer), response: last });
    return jobDone;
  }
  cancel();
  leaveIfCancelled(job);
  const why = isOver ? 'The answer of the provider ended early.' : 'The response is too large to be stored.';
  return endWith(making, failedResponse(open, 'server_error', why), toMaker(answer));
};

/** Makes responses outside of requests, as their callers are now. */
export const backgroundJob = (parts: ResponseParts): JobKind => {
  const { store, seals, kept, principalNow, usageKept, now } = parts;

  const make = async (making: Making, request: JsonObject, principal: Principal): Promise<JobOutcome> => {
    const { job, open } = making;
    // The provider makes it in the foreground, where background options are not allowed.
    const { background: _background, background_options: _options, ...body } = making.head.body;
    const chain = await readContinued(kept, job.tenant as TenantId, findText(body.previous_response_id));
    if (chain !== undefined && 'status' in chain)
      return endWith(making, failedBy(open, findObject(findObject(chain.body)?.error)));
    const { cancellation, cancel } = createCancellation();
    const stopListening = job.cancellation.onCancel(cancel);
    try {
      const answer = await sendResponse(
        // The provider streams it and need not store it.
        { body: { ...body, stream: true, store: false }, keeps: true, truncates: body.truncation === 'auto', chain },
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
    concurrency: 256,
    queue: { maxQueued: maxQueuedClaims, what: 'responses in the background' },
    async run(job) {
      const one = { tenant: job.tenant as TenantId, id: job.id };
      const row = await findResponse(store.db, { ...one, now: now() });
      if (row?.status !== 'in_progress' || row.request === null) return jobDone;
      const request = await seals.open(row, 'request');
      if (!isJsonObject(request)) return jobDone;
      const head = { id: job.id, body: findObject(request.body) ?? {}, created: row.created_at };
      const open = openResponse(head);
      const events = await openBackgroundEvents(parts, job, { one, open });
      const making = { job, open, head, events, accounted: () => settledOrCancelled(usageKept(), job.cancellation) };
      // The gateway stored this value itself.
      const principal = await principalNow(one.tenant, request.caller as unknown as StoredCaller);
      try {
        if (principal === undefined) return await endWith(making, cancelledResponse(open, []));
        return await make(making, request, principal);
      } finally {
        events.close();
      }
    },
  };
};
