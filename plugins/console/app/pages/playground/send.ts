import { createParser } from 'eventsource-parser';
import { send } from '../../api/client.ts';
import { ApiError, asApiError } from '../../api/error.ts';
import { refusalCount } from '../../api/session.ts';
import { texts } from '../../texts/playground.ts';
import { type DialectId, type Routing, routingHeaders } from './prompt.ts';
import { type Answer, noAnswer, readEvent, readWhole } from './read-answer.ts';
import type { WireRequest } from './to-request.ts';

/** The route that sends requests to models as the principal of the session. */
const playground = '/console/playground';

/** The maximum length of an answer in characters. A longer one is an error, because the page keeps it in memory. */
const maxAnswerLength = 4_000_000;

/** The headers that describe what the gateway did with a request. */
export interface Trail {
  readonly traceId: string;
  readonly provider: string;
  readonly attempts: string;
  readonly overheadMs: string;
  readonly cost: string;
  readonly cache: string;
  readonly plan: string;
}

export interface Exchange {
  readonly status: number;
  readonly trail: Trail;
  readonly answer: Answer;
  /** Milliseconds since the request was sent; for a stream also those until its first piece. */
  readonly ms: number;
  readonly firstMs?: number | undefined;
}

export interface SendOptions {
  readonly dialect: DialectId;
  readonly request: WireRequest;
  readonly via: Routing;
  readonly signal: AbortSignal;
  readonly onProgress: (exchange: Exchange) => void;
}

const readTrail = ({ headers }: Response): Trail => {
  const of = (name: string): string => headers.get(`x-gw-${name}`) ?? '';
  return {
    ...{ traceId: of('trace-id'), provider: of('provider'), attempts: of('attempts') },
    ...{ overheadMs: of('overhead-ms'), cost: of('cost'), cache: of('cache-status'), plan: of('plan') },
  };
};

/** Parses the cost of an answer in US dollars; undefined if it is unknown. */
const readCost = (text: string | undefined): number | undefined => {
  const value = text === undefined || text === '' ? Number.NaN : Number.parseFloat(text);
  return Number.isFinite(value) ? value : undefined;
};

const failed = (answer: Answer, message: string, code = ''): Answer => ({
  ...answer,
  error: answer.error ?? { message, code },
});

/** Reads a stream to its end. If it breaks or ends without its end signal, the result has an error and what was received. */
const readStream = async (
  answered: Response,
  dialect: DialectId,
  signal: AbortSignal,
  onAnswer: (answer: Answer) => void,
): Promise<Answer> => {
  let answer = noAnswer;
  if (answered.body === null) return failed(answer, texts.errors.empty);
  const parser = createParser({
    onEvent: ({ data }) => {
      answer = readEvent(dialect, answer, data);
    },
    // A comment after the last event reports the cost.
    onComment: (comment) => {
      answer = { ...answer, cost: readCost(/^\s*x-gw-cost\s+(\S+)/.exec(comment)?.[1]) ?? answer.cost };
    },
    maxBufferSize: maxAnswerLength,
  });
  const reader = answered.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parser.feed(part.value);
      onAnswer(answer);
      if (answer.text.length > maxAnswerLength) {
        await reader.cancel();
        return failed(answer, texts.errors.tooLong);
      }
    }
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return failed(answer, texts.errors.broken);
  }
  return answer.isComplete || answer.error !== undefined ? answer : failed(answer, texts.errors.incomplete);
};

/**
 * Sends a request to a model with the session, and reads the answer as it arrives. Refusals and errors are answers too.
 * Throws an `ApiError` if there is no response, and the error of `fetch` if the signal aborts.
 */
export const sendRequest = async ({ dialect, request, via, signal, onProgress }: SendOptions): Promise<Exchange> => {
  const startedAt = performance.now();
  const answered = await send('POST', playground, {
    query: { path: request.path },
    body: request.body,
    headers: { ...routingHeaders(via), 'x-gw-usage': 'true', accept: '*/*' },
    signal,
  });
  const { status } = answered;
  // The provider may have refused its credential, or the gateway the session.
  if (status === 401) refusalCount.value += 1;
  const trail = readTrail(answered);
  const isStream = answered.headers.get('content-type')?.includes('text/event-stream') === true;
  const taken = (): number => performance.now() - startedAt;
  let firstMs: number | undefined;
  if (isStream) {
    const answer = await readStream(answered, dialect, signal, (now) => {
      firstMs ??= taken();
      onProgress({ status, trail, answer: now, ms: taken(), firstMs });
    });
    return { status, trail, answer, ms: taken(), firstMs };
  }
  let text: string;
  try {
    text = await answered.text();
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    throw asApiError(new ApiError(texts.errors.broken, { status }));
  }
  const read = readWhole(dialect, text) ?? failed(noAnswer, texts.errors.unreadable);
  const isRefused = status >= 400 && read.error === undefined;
  const answer = { ...(isRefused ? failed(read, texts.errors.status(status)) : read), cost: readCost(trail.cost) };
  return { status, trail, answer, ms: taken() };
};
