import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cancellation, GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import { discard } from '../../engine/error-responses/discard.ts';
import type { Generations } from '../../file-plans/generations.ts';
import { answerBatch, writeAnswer } from '../../http/answer/write-answer.ts';
import { drainAfterAnswer, isStillUploading } from '../../http/body/drain-body.ts';
import type { MemoryBudget } from '../../http/body/memory-budget.ts';
import type { Clients } from '../../http/exchange/clients.ts';
import type { Connection, ServerAnswer, ServerRequest } from '../../http/exchange/connection.ts';
import { HttpExchange } from '../../http/exchange/http-exchange.ts';
import type { Seeds } from '../../in-memory/seeds.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RunningRequests } from '../running-requests.ts';
import type { GatewayService } from '../service.ts';

export interface ListenerOptions {
  readonly receive: GatewayService['receive'];
  /** The requests that the gateway has not answered yet, whether or not their clients still wait. */
  readonly unanswered: RunningRequests;
  readonly clients: Clients;
  /** Answers requests to unknown paths and to the gateway's own pages. */
  readonly healthPages: (request: ServerRequest, response: ServerAnswer) => void;
  readonly generations: Generations;
  readonly memoryBudget: MemoryBudget;
  readonly clock: Clock;
  readonly seeds: Seeds;
  readonly openMessages: NonNullable<Connection['openMessages']>;
  /** Whether the gateway is shutting down. If so, connections end with the last of their answers. */
  readonly draining: () => boolean;
  /** Cancelled when the time for running requests is over. Streams then end with an error. */
  readonly timeIsUp: Cancellation;
}

/** Receives requests and sends the answers. */
export type RequestListener = (request: ServerRequest, response: ServerAnswer) => void;

/** The same, for node:http only. */
export type NodeRequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export const requestListener = ({
  receive,
  unanswered,
  clients,
  healthPages,
  generations,
  memoryBudget,
  clock,
  seeds,
  openMessages,
  draining,
  timeIsUp,
}: ListenerOptions): RequestListener => {
  const batch = answerBatch();

  const over = (exchange: HttpExchange, response: ServerAnswer): void => {
    if (!response.writableFinished) exchange.cancellation.cancel();
    exchange.generationRef?.release();
    memoryBudget.release(exchange);
    exchange.end();
  };

  const endAtShutDown = (exchange: HttpExchange, to: ServerAnswer): void => {
    to.once(
      'close',
      timeIsUp.onCancel(() => exchange.cancellation.cancel(errorReport('stream-shut-down', {}))),
    );
  };

  const write = (exchange: HttpExchange, to: ServerAnswer, response: GatewayResponse): void => {
    if (to.destroyed) {
      discard(response);
      return;
    }
    try {
      const sending = isStillUploading(exchange, to);
      if (exchange.caller.hasBody) drainAfterAnswer(to, clock);
      // The client was never asked to send its body, so its next bytes could be the body or another request.
      const closing = (draining() && to.isFollowed !== true) || sending || exchange.caller.expectsContinue;
      writeAnswer(to, exchange, { response, closing, batch });
      if (response.body.kind === 'stream') endAtShutDown(exchange, to);
    } catch {
      // A bug while writing, when no error can be sent any more.
      to.destroy();
    }
  };

  return (request, response) => {
    const { method = 'GET', url = '/', rawHeaders: headers } = request;
    const match = clients.match(method, url);
    if (match === undefined) {
      drainAfterAnswer(response, clock);
      healthPages(request, response);
      return;
    }
    const exchange = new HttpExchange({
      method,
      match,
      headers,
      caller: clients.readHeaders(headers),
      seed: seeds.next(),
      startedAt: clock.monotonic(),
      connection: { request, response, isDraining: draining, openMessages },
    });
    exchange.generationRef = generations.enter();
    response.on('close', () => over(exchange, response));
    const isAnswered = unanswered.begin();
    receive(exchange, (answer) => {
      write(exchange, response, answer);
      isAnswered();
    });
  };
};
