import { setTimeout } from 'node:timers/promises';
import { GatewayError } from '../../../../../schema/errors/errors.ts';
import { isSuccess } from '../../../../../schema/http/status.ts';
import { isJsonObject, type JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, findText, toTexts } from '../../../../../schema/json/loose.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import type { Principal, TenantId } from '../../../../sdk/exchange/exchange.ts';
import { maxQueuedClaims } from '../../../../sdk/fairness/fair-pool.ts';
import type { Split } from '../../../../sdk/framings/framing.ts';
import { sse } from '../../../../sdk/framings/sse.ts';
import type { GatewayResponse, StreamBody } from '../../../../sdk/http/http.ts';
import { toBuffer } from '../../../../sdk/http/to-buffer.ts';
import { createCancellation } from '../../../../sdk/time/cancellation.ts';
import { orCancelled } from '../../../../sdk/time/or-cancelled.ts';
import type { StoredCaller } from '../../../access/identity/principal-now.ts';
import { type JobKind, type JobOutcome, jobDone, type RunningJob } from '../../../kernel/jobs/job-queue.ts';
import { answerChunks } from '../../accounts/answers/answer-bytes.ts';
import { readError, sendResponse } from '../input/sent-response.ts';
import {
  type BackgroundHead,
  backgroundForm,
  cancelledResponse,
  failedResponse,
  openResponse,
} from '../stored/answer-form.ts';
import { readContinued } from '../stored/one-response.ts';
import { findResponse } from '../stored/response-store.ts';
import { maxKeptBytes } from '../stored/stored-responses.ts';
import { type BackgroundEnd, type BackgroundEvents, openBackgroundEvents } from './background-events.ts';
import type { ResponseParts } from './response-parts.ts';

/** The kind of the jobs that make responses. */
export const backgroundKind = 'response';

/** The pause between two writes of events, each of which asks whether the response was cancelled, in milliseconds. */
const writeEveryMs = 200;

const concurrency = 256;

const ended = /^response\.(?:completed|incomplete|failed)$/;

/** A response that a job makes. */
interface Making {
  readonly job: RunningJob;
  readonly events: BackgroundEvents;
  readonly open: JsonObject;
  readonly head: BackgroundHead;
  /** Waits until what it used is in the ledger, so that no process that is killed leaves a response without it. */
  accounted(): Promise<void>;
}

/** Ends a response without an answer, or with one that came whole. */
const endWith = async ({ events }: Making, response: JsonObject, maker: Maker = {}): Promise<JobOutcome> => {
  events.push({ type: `response.${String(response.status)}`, response });
  await events.write({ ...maker, response });
  return jobDone;
};

type Maker = Omit<BackgroundEnd, 'response'>;

const toMaker = ({ leaf }: GatewayResponse): Maker =>
  leaf?.maker === undefined ? {} : { slug: leaf.maker.slug ?? null, scope: leaf.maker.scope };

/** Makes a response that has failed, with what an answer that is an error says. */
const failedBy = (open: JsonObject, error: JsonObject | undefined): JsonObject =>
  failedResponse(
    open,
    findText(error?.code) ?? findText(error?.type) ?? 'server_error',
    findText(error?.message) ?? 'The provider did not answer.',
  );

/** Takes the answer of a provider that does not stream, or an error. */
const takeWhole = async (making: Making, answer: GatewayResponse, bytes: Uint8Array): Promise<JobOutcome> => {
  await making.accounted();
  const given = isSuccess(answer.status) ? parseObject(toBuffer(bytes).toString()) : undefined;
  const response =
    given?.object === 'response' ? backgroundForm(making.head).of(given) : failedBy(making.open, readError(bytes));
  return endWith(making, response, toMaker(answer));
};

/** Reads the events of a stream that are JSON, until it ends or breaks off. */
const readEvents = async (body: StreamBody, take: (event: JsonObject) => void): Promise<void> => {
  const splitter = sse.createSplitter();
  const pass = ({ frames }: Split): void => {
    for (const { data } of frames) {
      const event = parseObject(data);
      if (event !== undefined) take(event);
    }
  };
  try {
    for await (const chunk of answerChunks(body)) pass(splitter.push(toBuffer(chunk)));
    pass(splitter.rest());
  } catch (error) {
    // A stream that breaks off has no last event.
    if (!(error instanceof GatewayError)) throw error;
  }
};

/** Takes the events of an answer as they come. */
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
    if (ended.test(String(event.type))) last = response;
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

/** Makes responses outside of requests, as whoever asked for them is now. */
export const backgroundJob = (parts: ResponseParts): JobKind => {
  const { store, seals, kept, principalNow, usageKept, now } = parts;

  const make = async (making: Making, request: JsonObject, principal: Principal): Promise<JobOutcome> => {
    const { job, open } = making;
    const { background: _background, ...body } = making.head.body;
    const chain = await readContinued(kept, job.tenant as TenantId, findText(body.previous_response_id));
    if (chain !== undefined && 'status' in chain)
      return endWith(making, failedBy(open, findObject(findObject(chain.body)?.error)));
    const { cancellation, cancel } = createCancellation();
    const stopListening = job.cancellation.onCancel(cancel);
    try {
      // A stream, which its provider need not keep.
      const sent = { body: { ...body, stream: true, store: false }, keeps: true };
      const answer = await sendResponse(
        { ...sent, truncates: body.truncation === 'auto', chain },
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
      const head = { id: job.id, body: findObject(request.body) ?? {}, created: row.created_at };
      const open = openResponse(head);
      const events = await openBackgroundEvents(parts, job, one);
      const making = { job, open, head, events, accounted: () => orCancelled(usageKept(), job.cancellation) };
      // What is stored of a caller is what was put in.
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
