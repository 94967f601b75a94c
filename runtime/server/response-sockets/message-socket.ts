import type { WebSocket } from 'ws';
import { asGatewayError, type ErrorReport, errorReport, gatewayError } from '../../../schema/errors/errors.ts';
import { exactTextFrom } from '../../../schema/json/exact-numbers.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import type { BodyHolder, MemoryBudget } from '../../http/body/memory-budget.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Conversations } from './conversations.ts';
import { errorEvent, messageEvents } from './message-events.ts';
import { newResponseId, preparedEvents } from './prepared-response.ts';
import { type CreateMessage, readMessage } from './read-message.ts';

/** How many responses of one connection may be running or waiting at a time. */
const maxResponses = 32;

/** After how many milliseconds without a message and a running response a connection ends: clients may wait for their users. */
const idleMs = 600_000;

/** How often it is checked whether the gateway is shutting down, in milliseconds. */
const drainMs = 500;

/** Close codes of RFC 6455 §7.4.1. */
const closed = { idle: 1000, shutDown: 1001, notText: 1003, refused: 1008, overloaded: 1013 };

const shuttingDown = 'The gateway is shutting down.';

/** How many bytes of a message are received before they count against the memory for bodies. */
const freeBytes = 64 * 1024;

/** The events after which a response has no others. */
const isLast: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error']);

export interface MessageSocketOptions {
  readonly socket: WebSocket;
  /** Answers a request with this body. */
  readonly ask: (body: string, signal: AbortSignal) => Promise<Response>;
  readonly conversations: Conversations;
  /** Holds messages that have arrived in part, wait or are answered. */
  readonly memoryBudget: MemoryBudget;
  readonly principal: BodyHolder['principal'];
  readonly clock: Clock;
  readonly isDraining: () => boolean;
}

/**
 * Answers the messages of a WebSocket as requests for responses. Those of one lane run one after another, and those of different
 * lanes at the same time. Whatever runs ends with the connection.
 */
export class MessageSocket {
  readonly #options: MessageSocketOptions;
  /** The end of all that runs and waits in each lane. */
  readonly #lanes = new Map<string | undefined, Promise<void>>();
  readonly #ended = new AbortController();
  #open = 0;
  /** The memory of the message that is arriving, and how many of its bytes have. */
  #arriving: BodyHolder;
  #arrived = 0;
  #stopIdle = (): void => {};
  #stopDrain = (): void => {};

  constructor(options: MessageSocketOptions) {
    const { socket } = options;
    this.#options = options;
    this.#arriving = options.memoryBudget.newHolder(options.principal);
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) socket.close(closed.notText, 'Messages must be text.');
      else this.#receive(data);
    });
    // The library closes a connection that breaks the protocol.
    socket.on('error', () => {});
    socket.once('close', () => this.#end());
    this.#awaitMessage();
    this.#watchDrain();
  }

  /** Ends what runs with an error, and then the connection. */
  shutDown(report: ErrorReport): void {
    for (const streamId of this.#lanes.keys()) this.#send(errorEvent(report), streamId).catch(() => {});
    this.#options.socket.close(closed.shutDown, shuttingDown);
  }

  /** Called for all bytes of the client before they are read. */
  received(bytes: number): void {
    const { memoryBudget, socket } = this.#options;
    this.#arrived += bytes;
    if (this.#arrived <= freeBytes || memoryBudget.take(bytes, this.#arriving)) return;
    socket.close(closed.overloaded, 'The gateway has no memory for this message. Try again later.');
  }

  #receive(data: Buffer): void {
    const { memoryBudget, principal } = this.#options;
    const holder = this.#arriving;
    this.#arriving = memoryBudget.newHolder(principal);
    this.#arrived = 0;
    if (!this.#beginReading(data, holder)) memoryBudget.release(holder);
  }

  /** Returns whether a response began, which then releases the memory of its message. */
  #beginReading(data: Buffer, holder: BodyHolder): boolean {
    if (!this.#isOpen() || this.#options.isDraining()) return false;
    try {
      const message = readMessage(data);
      if (message === undefined) return false;
      if (this.#open >= maxResponses)
        throw gatewayError('invalid-request', {
          dialect: 'responses',
          reason: `a connection may have ${maxResponses} responses that are not complete.`,
        });
      this.#begin(message, holder);
      return true;
    } catch (error) {
      this.#send(errorEvent(asGatewayError(error).report), undefined).catch(() => {});
      return false;
    }
  }

  #begin(message: CreateMessage, holder: BodyHolder): void {
    const { streamId } = message;
    this.#open += 1;
    this.#stopIdle();
    const before = this.#lanes.get(streamId) ?? Promise.resolve();
    const answered = before.then(() => this.#answer(message));
    this.#lanes.set(streamId, answered);
    answered.then(() => {
      this.#open -= 1;
      this.#options.memoryBudget.release(holder);
      if (this.#lanes.get(streamId) === answered) this.#lanes.delete(streamId);
      if (this.#open === 0 && this.#isOpen()) this.#awaitMessage();
    });
  }

  /** Never rejects. */
  async #answer(message: CreateMessage): Promise<void> {
    if (!this.#isOpen()) return;
    const { streamId } = message;
    let isComplete = false;
    try {
      for await (const event of this.#events(message)) {
        isComplete ||= isLast.has(event.type);
        await this.#send(event, streamId);
        if (event.type === 'error' && event.status === 401)
          this.#options.socket.close(closed.refused, 'The key was refused.');
      }
    } catch {
      // Its answer broke off, which the event that follows says.
    }
    if (!isComplete)
      await this.#send(errorEvent(errorReport('stream-cut', { peer: 'provider' })), streamId).catch(() => {});
  }

  async *#events({ body: sent, generates }: CreateMessage): AsyncGenerator<JsonObject> {
    const { ask, conversations, clock } = this.#options;
    const body = conversations.continued(sent);
    if (!generates) {
      const id = newResponseId();
      conversations.remember(id, body, []);
      yield* preparedEvents(sent, id, clock.wall());
      return;
    }
    for await (const event of messageEvents(await ask(exactTextFrom(sent, body), this.#ended.signal))) {
      if (sent.store === false) this.#remember(body, event);
      yield event;
    }
  }

  #remember(body: JsonObject, { type, response }: JsonObject): void {
    // The gateway would hold the memory of what is remembered after the end.
    if (!this.#isOpen() || type !== 'response.completed' || !isJsonObject(response)) return;
    const { id, output } = response;
    if (typeof id === 'string' && Array.isArray(output)) this.#options.conversations.remember(id, body, output);
  }

  /** Resolves when the client has room for more. */
  #send(event: JsonObject, streamId: string | undefined): Promise<void> {
    const made = streamId === undefined ? event : { ...event, stream_id: streamId };
    return new Promise((resolve, reject) =>
      this.#options.socket.send(exactTextFrom(event, made), (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Whether neither side has begun to close the connection. */
  #isOpen(): boolean {
    const { socket } = this.#options;
    return socket.readyState === socket.OPEN;
  }

  #awaitMessage(): void {
    const { socket, clock } = this.#options;
    this.#stopIdle = clock.after(idleMs, () => socket.close(closed.idle, 'No message was received for ten minutes.'));
  }

  #watchDrain(): void {
    const { socket, clock, isDraining } = this.#options;
    this.#stopDrain = clock.after(drainMs, () => {
      if (isDraining() && this.#open === 0) socket.close(closed.shutDown, shuttingDown);
      else this.#watchDrain();
    });
  }

  #end(): void {
    this.#stopIdle();
    this.#stopDrain();
    this.#ended.abort();
    this.#options.memoryBudget.release(this.#arriving);
    this.#options.conversations.forgetAll();
  }
}
