import { exactText } from '../../../../../schema/json/exact-numbers.ts';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findPlace } from '../../../../../schema/json/json-places.ts';
import { parseJson } from '../../../../../schema/json/parse-json.ts';
import { toPointer } from '../../../../../schema/json/pointer.ts';
import { repeatedKey } from '../../../../../schema/json/repeated-key.ts';
import { backoff, maxRetryWaitMs, retryAfterMs } from '../../../../../schema/plan/schedule.ts';
import type { UsageRecord } from '../../../../../schema/usage/usage-record.ts';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import { type GatewayResponse, headerValue } from '../../../../sdk/http/http.ts';
import type { ReceivedBody } from '../../../../sdk/route/route-row.ts';
import { createCancellation } from '../../../../sdk/time/cancellation.ts';
import { wait } from '../../../../sdk/time/wait.ts';
import type { RunningJob } from '../../../kernel/jobs/job-queue.ts';
import type { BatchPartRow, BatchRow } from '../../../kernel/store/tables.ts';
import { answerBytes } from '../../provider-requests/answer-bytes.ts';
import {
  type LineName,
  type LineResult,
  notRun,
  requestLines,
  resultOfResponse,
  resultWithoutResponse,
} from '../batch/batch-lines.ts';
import type { BatchJobParts, BatchName } from './batch-store.ts';
import { BatchWatch, type Stop } from './batch-watch.ts';
import type { ConcurrencyLimiter, LineOutcome } from './concurrency-limiter.ts';
import { decidesRetries, type LinePlan } from './line-plan.ts';

/** The parts of a batch that are needed to run its lines. */
interface LineRunner extends Pick<BatchJobParts, 'clock'>, Pick<RunningJob, 'gateway'> {
  readonly gate: ConcurrencyLimiter;
  readonly watch: BatchWatch;
  readonly endpoint: string;
  readonly plan: LinePlan;
  /** How many times a line is retried; 0 if its config decides that itself. */
  readonly retries: number;
}

interface RunLine {
  readonly result: LineResult;
  /** Returns the usage of each attempt so far, also of those that were retried. */
  usages(): readonly UsageRecord[];
}

const noUsages = (): readonly UsageRecord[] => [];

const maxAnswerBytes = 16_000_000;

interface Answer {
  readonly response: GatewayResponse;
  /** Undefined if the body broke off or was too large. */
  readonly bytes: Buffer | undefined;
}

const mayPass = ({ response: { status, origin }, bytes }: Answer): boolean =>
  bytes === undefined || origin === 'network' || origin === 'timeout' || status === 429 || status >= 500;

const askedWait = ({ headers }: GatewayResponse, { clock }: LineRunner): number | undefined =>
  retryAfterMs((name) => headerValue(headers, name), clock.wall());

/** Sends a line once, when there is room for it; undefined if it is not sent because the batch has ended. */
const send = async (received: ReceivedBody, name: LineName, runner: LineRunner): Promise<Answer | undefined> => {
  const { gateway, gate, watch, endpoint, plan } = runner;
  if (!(await gate.enter(watch))) return undefined;
  let outcome: LineOutcome = { kind: 'taken' };
  const { cancellation, cancel } = createCancellation();
  const stopListening = watch.cancellation.onCancel(cancel);
  try {
    const { principal } = watch;
    if (principal === undefined) return undefined;
    const request = { method: 'POST', path: endpoint, headers: plan.headers, received, asksUsage: true } as const;
    const response = await gateway.dispatch({ traceId: name.id, cancellation })(request, principal);
    const bytes = await answerBytes(response.body, maxAnswerBytes).catch(() => {
      cancel();
      return undefined;
    });
    const answer: Answer = { response, bytes };
    if (response.status === 429 || response.status === 503)
      outcome = { kind: 'pushedBack', ms: Math.min(askedWait(response, runner) ?? 1000, maxRetryWaitMs) };
    else if (mayPass(answer)) outcome = { kind: 'failed' };
    return answer;
  } finally {
    stopListening();
    gate.leave(outcome);
  }
};

/**
 * Waits for as long as an answer asks, or longer with each try. Returns false if the batch ends meanwhile, or if the wait would
 * be too long.
 */
const pause = async (answer: Answer, tried: number, runner: LineRunner): Promise<boolean> => {
  const asked = askedWait(answer.response, runner);
  if (asked !== undefined && asked > maxRetryWaitMs) return false;
  const { from, to } = backoff(tried + 1);
  const { cancellation, cancel } = createCancellation();
  const stopListening = runner.watch.onStop(cancel);
  try {
    return await wait(Math.max(asked ?? 0, from + Math.random() * (to - from)), runner.clock, cancellation);
  } finally {
    stopListening();
  }
};

const lost = {
  code: 'lost_answer',
  message: `The answer ended early, or is larger than ${maxAnswerBytes} bytes.`,
};

const streams = {
  error: {
    message: 'A request in a batch cannot be streamed. Omit "stream".',
    ...{ type: 'invalid_request_error', param: 'stream', code: 'stream_not_supported' },
  },
} as const;

/**
 * Sends a line, retries it if that may help, and returns its result. Its requests are those of the batch's creator as it is now.
 */
const runLine = async (received: ReceivedBody, name: LineName, runner: LineRunner): Promise<RunLine> => {
  const answers: Answer[] = [];
  const tryOnce = async (): Promise<Answer | undefined> => {
    const answer = await send(received, name, runner);
    if (answer !== undefined) answers.push(answer);
    return answer;
  };
  let answer = await tryOnce();
  for (let tried = 0; answer !== undefined && mayPass(answer) && tried < runner.retries; tried += 1) {
    if (!(await pause(answer, tried, runner))) break;
    answer = (await tryOnce()) ?? answer;
  }
  if (answer === undefined) {
    const { stop } = runner.watch;
    const why = stop === 'expired' || stop === 'failed' ? stop : 'cancelled';
    return { result: resultWithoutResponse(name, notRun[why]), usages: noUsages };
  }
  const usages = (): readonly UsageRecord[] => answers.flatMap(({ response }) => response.usages?.() ?? []);
  if (answer.bytes === undefined) return { result: resultWithoutResponse(name, lost), usages };
  const { status } = answer.response;
  const text = answer.bytes.toString();
  return { result: resultOfResponse(name, { status, body: parseJson(text) ?? text }), usages };
};

const bodyPlace = toPointer(['body']);

/** Returns the body of a checked line as it is written in the file, so that its numbers keep all their digits. */
const lineBody = (line: Buffer, body: JsonObject): ReceivedBody => {
  const text = line[0] === 0xef ? line.subarray(3) : line;
  // A line with a repeated key is sent as it was checked, because its provider might read the other value.
  const place = repeatedKey(text) === undefined ? findPlace(text, bodyPlace) : undefined;
  const bytes = place === undefined ? Buffer.from(exactText(body)) : text.subarray(place.from, place.to);
  return {
    ...{ contentType: 'application/json', encoding: undefined, length: bytes.length },
    body: { kind: 'bytes', bytes },
    json: () => body,
  };
};

interface PartToRun {
  readonly job: RunningJob;
  readonly name: BatchName;
  readonly row: BatchRow;
  readonly part: BatchPartRow;
  readonly gate: ConcurrencyLimiter;
}

/** The results of a part in the order of its lines, and why some of them did not run. */
export interface RanPart {
  readonly lines: readonly RunLine[];
  readonly stop: Stop | undefined;
}

const defaultRetries = 3;

/** Returns the id of a line's request, with the line's number, under which log and ledger have it. */
export const requestId = ({ id }: Pick<BatchName, 'id'>, line: number): string => `${id}-${line}`;

/** Reads the requests of a part. */
export const readPart = (
  { files }: BatchJobParts,
  row: BatchRow,
  { from_byte: from, to_byte: to, first_line: first }: BatchPartRow,
): ReturnType<typeof requestLines> =>
  // A tenant is named by its workspace.
  requestLines(files.read(row.workspace_id as TenantId, row.input_file_id, { from, to }), row.endpoint, first);

/** Runs the lines of a part. If the batch ends meanwhile, lines that were not sent get results that report this. */
export const runPart = async (parts: BatchJobParts, { job, name, row, part, gate }: PartToRun): Promise<RanPart> => {
  // The gateway wrote this column itself.
  const plan = fromJson(row.plan) as LinePlan;
  const decides = plan.config !== undefined && (await decidesRetries(plan, await parts.readView(name.tenant)));
  const watch = await BatchWatch.open(parts, name, job.cancellation);
  try {
    const runner = {
      ...{ gateway: job.gateway, clock: parts.clock, gate, watch, plan },
      ...{ endpoint: row.endpoint, retries: decides ? 0 : defaultRetries },
    };
    const running: (RunLine | Promise<RunLine>)[] = [];
    for await (const { line, request } of readPart(parts, row, part)) {
      if ('error' in request || line.bytes === undefined)
        throw new Error(`Line ${line.number} of the batch ${name.id} has changed.`);
      const { customId, body } = request;
      const lineName = { id: requestId(name, line.number), customId };
      running.push(
        [undefined, false, null].some((none) => none === body.stream)
          ? runLine(lineBody(line.bytes, body), lineName, runner)
          : { result: resultOfResponse(lineName, { status: 400, body: streams }), usages: noUsages },
      );
    }
    return { lines: await Promise.all(running), stop: watch.stop };
  } finally {
    watch.close();
  }
};
