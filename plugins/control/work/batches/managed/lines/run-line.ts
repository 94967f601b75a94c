import { parseJson } from '../../../../../../schema/json/parse-json.ts';
import { backoff, maxRetryWaitMs, retryAfterMs } from '../../../../../../schema/plan/schedule.ts';
import type { UsageRecord } from '../../../../../../schema/usage/usage-record.ts';
import type { Clock } from '../../../../../sdk/clock.ts';
import { type GatewayResponse, headerValue } from '../../../../../sdk/http/http.ts';
import type { RunningGateway } from '../../../../../sdk/plugin/plugin.ts';
import type { ReceivedBody } from '../../../../../sdk/route/route-row.ts';
import { createCancellation } from '../../../../../sdk/time/cancellation.ts';
import { wait } from '../../../../../sdk/time/wait.ts';
import { answerBytes } from '../../../accounts/answers/answer-bytes.ts';
import { answered, type LineName, type LineResult, notRun, unanswered } from '../../lines/line-result.ts';
import type { BatchLine } from '../../lines/validate-line.ts';
import type { BatchWatch } from './batch-watch.ts';
import type { LineGate, LineOutcome } from './line-gate.ts';
import type { LinePlan } from './line-plan.ts';

/** What lines are run with. */
export interface LineRunner {
  readonly gateway: RunningGateway;
  readonly clock: Clock;
  readonly gate: LineGate;
  readonly watch: BatchWatch;
  readonly endpoint: string;
  readonly plan: LinePlan;
  /** How often a line is tried again; 0 where its config says that itself. */
  readonly retries: number;
}

export interface LineToRun extends BatchLine {
  /** The body as it is sent. */
  readonly received: ReceivedBody;
}

export interface RunLine {
  readonly result: LineResult;
  /** Undefined if that is not known. */
  readonly usage: UsageRecord | undefined;
}

const maxAnswerBytes = 16_000_000;

interface Answer {
  readonly response: GatewayResponse;
  /** Undefined if it broke off or was too large. */
  readonly bytes: Buffer | undefined;
}

const isPushBack = ({ status }: GatewayResponse): boolean => status === 429 || status === 503;

const mayPass = ({ response, bytes }: Answer): boolean => {
  const { status, origin } = response;
  return bytes === undefined || origin === 'network' || origin === 'timeout' || status === 429 || status >= 500;
};

const askedWait = ({ headers }: GatewayResponse, { clock }: LineRunner): number | undefined =>
  retryAfterMs((name) => headerValue(headers, name), clock.wall());

/** Sends a line once, in its turn; undefined if it is not sent because the batch has ended. */
const send = async (line: LineToRun, name: LineName, runner: LineRunner): Promise<Answer | undefined> => {
  const { gateway, gate, watch, endpoint, plan } = runner;
  const isStopped = (): boolean => watch.stop() !== undefined;
  if (!(await gate.enter({ isStopped, onStop: watch.onStop }))) return undefined;
  let outcome: LineOutcome = { kind: 'taken' };
  const { cancellation, cancel } = createCancellation();
  const stopListening = watch.cancellation.onCancel(cancel);
  try {
    const principal = watch.principal();
    if (principal === undefined) return undefined;
    const request = {
      ...{ method: 'POST', path: endpoint, headers: plan.headers, received: line.received },
      asksUsage: true,
    } as const;
    const response = await gateway.dispatch({ traceId: name.id, cancellation })(request, principal);
    const bytes = await answerBytes(response.body, maxAnswerBytes).catch(() => {
      cancel();
      return undefined;
    });
    const answer: Answer = { response, bytes };
    if (isPushBack(response))
      outcome = { kind: 'pushedBack', ms: Math.min(askedWait(response, runner) ?? 1000, maxRetryWaitMs) };
    else if (mayPass(answer)) outcome = { kind: 'failed' };
    return answer;
  } finally {
    stopListening();
    gate.leave(outcome);
  }
};

/** Waits as long as an answer asks, or longer with each try; false if the batch ends meanwhile, or that would be too long. */
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
  message: `The answer broke off, or is larger than ${maxAnswerBytes} bytes.`,
};

const streams = {
  error: {
    message: 'A request of a batch cannot be streamed. Leave "stream" out.',
    ...{ type: 'invalid_request_error', param: 'stream', code: 'stream_not_supported' },
  },
} as const;

const isStreaming = ({ body: { stream = false } }: LineToRun): boolean => stream !== false && stream !== null;

/** Runs a line, and answers its result. Its requests are those of the batch's creator as it is now. */
export const runLine = async (line: LineToRun, name: LineName, runner: LineRunner): Promise<RunLine> => {
  if (isStreaming(line)) return { result: answered(name, { status: 400, body: streams }), usage: undefined };
  let answer = await send(line, name, runner);
  for (let tried = 0; answer !== undefined && mayPass(answer) && tried < runner.retries; tried += 1) {
    if (!(await pause(answer, tried, runner))) break;
    answer = (await send(line, name, runner)) ?? answer;
  }
  if (answer === undefined) {
    const stop = runner.watch.stop();
    const why = stop === 'expired' || stop === 'failed' ? stop : 'cancelled';
    return { result: unanswered(name, notRun[why]), usage: undefined };
  }
  const {
    response: { status, usage },
    bytes,
  } = answer;
  if (bytes === undefined) return { result: unanswered(name, lost), usage };
  const text = bytes.toString();
  return { result: answered(name, { status, body: parseJson(text) ?? text }), usage };
};
