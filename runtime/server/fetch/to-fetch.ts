import { holdChunk } from '../../../plugins/sdk/http/hold-chunk.ts';
import type { GatewayResponse, StreamBody } from '../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import type { GatewayError } from '../../../schema/errors/errors.ts';
import { ownReason } from '../../../schema/http/status.ts';
import { countWait } from '../../engine/call/request-waits.ts';
import { discard } from '../../engine/error-responses/discard.ts';
import type { Gateway } from '../../engine/gateway.ts';
import { answerHeaders } from '../../http/answer/answer-headers.ts';
import { pageErrorText, unknownRoute } from '../../http/answer/unknown-route.ts';
import { type BodyBounds, reserveForBody } from '../../http/body/collect-body.ts';
import type { Clients } from '../../http/exchange/clients.ts';
import { HttpExchange } from '../../http/exchange/http-exchange.ts';
import { Seeds } from '../../in-memory/seeds.ts';
import type { Clock } from '../../ports/clock.ts';
import { discardSink } from '../../streams/drained.ts';
import type { RunningRequests } from '../running-requests.ts';
import type { GatewayService } from '../service.ts';
import type { GatewayFetch } from './gateway-fetch.ts';

/**
 * Returns a streamed answer as a web stream. It is pulled no faster than it is read, and `left` is called if its reader cancels.
 * If the request's signal aborts it, it fails with the reason of the signal, as that of `fetch` does.
 */
const webBody = (body: StreamBody, signal: AbortSignal, left: () => void): ReadableStream<Uint8Array> => {
  let drained: (() => void) | undefined;
  let over = false;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      body.start({
        write: (chunk) => {
          if (over) return false;
          controller.enqueue(chunk);
          return (controller.desiredSize ?? 0) > 0;
        },
        onDrain: (resume) => {
          drained = resume;
        },
        end: () => {
          if (!over) controller.close();
          over = true;
        },
        fail: ({ message }) => {
          if (!over) controller.error(signal.aborted ? signal.reason : new Error(message));
          over = true;
        },
      });
    },
    pull: () => {
      const resume = drained;
      drained = undefined;
      resume?.();
    },
    cancel: () => {
      over = true;
      left();
    },
  });
};

export interface ToFetchOptions {
  readonly service: Pick<GatewayService, 'receive' | 'generations' | 'clients' | 'memoryBudget' | 'limits'> & {
    readonly gateway: Pick<Gateway, 'begin' | 'refuse'>;
  };
  readonly clock: Clock;
  /** Counts the running requests. If absent, nobody waits for them. */
  readonly running?: RunningRequests;
}

/** Statuses whose `Response` cannot have a body. */
const bodiless = new Set([204, 205, 304]);

interface Sources {
  readonly clients: Clients;
  readonly seeds: Seeds;
  readonly clock: Clock;
}

const findExchange = (request: Request, { clients, seeds, clock }: Sources): HttpExchange | undefined => {
  const { pathname, search } = new URL(request.url);
  const match = clients.match(request.method, pathname + search);
  if (match === undefined) return undefined;
  const headers = [...request.headers].flat();
  return new HttpExchange({
    method: request.method,
    match,
    headers,
    caller: clients.readHeaders(headers),
    seed: seeds.next(),
    startedAt: clock.monotonic(),
  });
};

const notFound = (request: Request, clients: Clients): Response => {
  const { pathname } = new URL(request.url);
  const report = unknownRoute(pathname);
  return new Response(pageErrorText(report, clients.dialectAt(pathname)), {
    status: report.status,
    headers: { 'content-type': 'application/json' },
  });
};

const webHeaders = (lines: readonly string[]): Headers => {
  const headers = new Headers();
  for (let at = 0; at < lines.length; at += 2) headers.append(lines[at] ?? '', lines[at + 1] ?? '');
  return headers;
};

const toResponse = (exchange: HttpExchange, response: GatewayResponse, signal: AbortSignal): Response => {
  const { status, body } = response;
  const init = { status, statusText: ownReason(status) ?? '', headers: webHeaders(answerHeaders(response, exchange)) };
  if (bodiless.has(status)) {
    // A body that is not returned is read to its end, so that what was opened for it ends as well.
    if (body.kind === 'stream') body.start(discardSink);
    return new Response(null, init);
  }
  if (body.kind === 'bytes') return new Response(new Uint8Array(body.bytes), init);
  return new Response(
    webBody(body, signal, () => exchange.cancellation.cancel()),
    init,
  );
};

/** Reads a body into its exchange. Resolves to why it cannot be received. */
const collect = async (
  body: ReadableStream<Uint8Array>,
  exchange: HttpExchange,
  bounds: BodyBounds,
): Promise<GatewayError | undefined> => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) {
    const refused = reserveForBody(exchange, chunk.length, bounds);
    if (refused !== undefined) return refused;
    holdChunk(chunks, toBuffer(chunk));
  }
  exchange.request.body = { kind: 'bytes', bytes: Buffer.concat(chunks) };
  return undefined;
};

/**
 * Serves a gateway's exchanges without a socket. The body is always buffered, within the limits of the service. Rejects like
 * `fetch` if the request's signal aborts.
 */
export const toFetch = ({
  service: { gateway, receive, generations, clients, memoryBudget, limits },
  clock,
  running,
}: ToFetchOptions): GatewayFetch => {
  const seeds = new Seeds();

  /** A server streams what is passed through, so it may be larger than other bodies. */
  const boundsOf = ({ route }: HttpExchange): BodyBounds => ({
    memoryBudget,
    bodyBytes: route.operation === 'opaque' ? memoryBudget.limit : limits.bodyBytes,
  });

  const receiveAnswer = async ({ body }: Request, exchange: HttpExchange): Promise<GatewayResponse> => {
    const refused =
      body === null ? undefined : await countWait(exchange, () => collect(body, exchange, boundsOf(exchange)));
    return refused === undefined
      ? new Promise((respond) => receive(exchange, respond))
      : gateway.refuse(exchange, refused);
  };

  const answer = async (request: Request, exchange: HttpExchange, over: () => void): Promise<Response> => {
    gateway.begin(exchange);
    const response = await receiveAnswer(request, exchange);
    if (request.signal.aborted) discard(response);
    request.signal.throwIfAborted();
    if (response.body.kind === 'stream') response.body.onEnd(over);
    else over();
    return toResponse(exchange, response, request.signal);
  };

  return async (request) => {
    const exchange = findExchange(request, { clients, seeds, clock });
    if (exchange === undefined) return notFound(request, clients);
    const endRun = running?.begin();
    const generationRef = generations.enter();
    exchange.generationRef = generationRef;
    const leave = (): void => exchange.cancellation.cancel();
    request.signal.addEventListener('abort', leave, { once: true });
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      request.signal.removeEventListener('abort', leave);
      generationRef.release();
      memoryBudget.release(exchange);
      exchange.end();
      endRun?.();
    };
    try {
      return await answer(request, exchange, over);
    } catch (error) {
      leave();
      over();
      throw error;
    }
  };
};
