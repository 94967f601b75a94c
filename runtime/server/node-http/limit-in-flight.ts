import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { currentAnswer, endsConnection } from './current-answer.ts';
import type { NodeRequestListener } from './request-listener.ts';

/** How many requests of one connection are served at a time. */
const maxInFlight = 32;

export interface InFlightOptions {
  readonly listener: NodeRequestListener;
  /** Whether the gateway is shutting down. */
  readonly draining: () => boolean;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

type PipelinedAnswer = ServerResponse & { isFollowed?: boolean };

/**
 * The pipelined requests of one connection. While some are queued nothing more is read, so that no more are queued than arrived
 * in one read. Only the last of them can have a body that has not arrived yet: when it is served, reading resumes.
 */
class Pipeline {
  readonly #socket: Socket;
  readonly #listener: NodeRequestListener;
  /** The running requests that were not first on the connection when they arrived. */
  readonly #running = new Set<ServerResponse>();
  readonly #waiting: Waiting[] = [];
  readonly #draining: () => boolean;

  constructor(socket: Socket, { listener, draining }: InFlightOptions) {
    this.#socket = socket;
    this.#listener = listener;
    this.#draining = draining;
    // Reading the body of a running request resumes the socket.
    socket.on('resume', () => this.#hold());
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    if (this.#waiting.length === 0 && this.#running.size < maxInFlight - 1) this.#start(request, response);
    else {
      this.#waiting.push({ request, response });
      this.#hold();
    }
  }

  #start(request: IncomingMessage, response: ServerResponse): void {
    // An earlier answer is to be the last one. What comes behind it may not be a request, and its answer would be lost.
    if ([currentAnswer(this.#socket), ...this.#running].some((before) => before && endsConnection(before))) {
      this.#socket.pause();
      return;
    }
    const before: PipelinedAnswer | undefined = [...this.#running].at(-1) ?? currentAnswer(this.#socket);
    // A client that keeps sending would prevent the gateway from ending. The answer before is the last one.
    if (this.#draining() && before?.headersSent === false) {
      this.#socket.pause();
      return;
    }
    if (before !== undefined) before.isFollowed = true;
    this.#running.add(response);
    response.once('close', () => this.#finish(response));
    this.#listener(request, response);
  }

  #finish(response: ServerResponse): void {
    if (!this.#running.delete(response)) return;
    const next = this.#socket.destroyed ? undefined : this.#waiting.shift();
    if (next === undefined) return;
    this.#start(next.request, next.response);
    if (this.#waiting.length === 0) this.#socket.resume();
  }

  #hold(): void {
    if (this.#waiting.length > 0) this.#socket.pause();
  }
}

/**
 * Limits how many requests of one connection are served at a time. Further ones are read later. While the gateway drains they are
 * not served, and the last answer before them ends the connection.
 */
export const limitInFlight = (options: InFlightOptions): NodeRequestListener => {
  const { listener } = options;
  const pipelines = new WeakMap<Socket, Pipeline>();
  return (request, response) => {
    // A request that has the socket is first on the connection. Nearly every request is.
    if (response.socket !== null) {
      listener(request, response);
      return;
    }
    const { socket } = request;
    let pipeline = pipelines.get(socket);
    if (pipeline === undefined) {
      pipeline = new Pipeline(socket, options);
      pipelines.set(socket, pipeline);
    }
    pipeline.add(request, response);
  };
};
