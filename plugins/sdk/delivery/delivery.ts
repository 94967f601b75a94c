import { errorText } from '../../../schema/text/error-text.ts';
import { FairShares } from '../fairness/fair-shares.ts';
import { HeldBytes } from '../fairness/held-bytes.ts';
import type { Cancellation } from '../http/http.ts';
import type { Timers } from '../http/in-process.ts';
import { createCancellation } from '../time/cancellation.ts';
import { wait } from '../time/wait.ts';
import { retryWaitMs } from './retry-wait.ts';

/** How a receiver answered a batch. `again`: it may take the same batch later, after `afterMs` if it says so. */
export type Sent =
  | {
      readonly kind: 'delivered';
      /** Items of the batch that it will not take, though it has taken the others. */
      readonly refused?: { readonly count: number; readonly reason: string };
    }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** The batch has more bytes than it takes, so that it is sent in smaller ones. */
      readonly isTooLarge?: boolean;
    }
  | { readonly kind: 'again'; readonly reason: string; readonly afterMs?: number };

/** The bounds of one queue. */
export interface DeliveryBounds {
  /** The most items that wait, those of the batch that is being sent included. One tenant has at most a quarter of them. */
  readonly items: number;
  /** The most bytes that they take. One tenant has at most a quarter of them. */
  readonly bytes: number;
  /** The most items of one batch. */
  readonly batchItems: number;
  /** The most bytes of one batch; an item that is larger is sent alone. */
  readonly batchBytes: number;
  /** How long an item waits for others, in milliseconds. */
  readonly gatherMs: number;
  /** How long a receiver may take to answer, in milliseconds. */
  readonly sendMs: number;
  /** How old an item may be when it is sent again, in milliseconds; it is given up after that. */
  readonly maxAgeMs: number;
}

export interface DeliveryOptions<Item> {
  readonly bounds: DeliveryBounds;
  readonly clock: Timers & {
    /** Milliseconds that never go back. */
    monotonic(): number;
  };
  /** Draws a number of at least 0 and less than 1, by which receivers are not tried again by all gateways at once. */
  readonly random: () => number;
  /** Sends a batch. A rejection is tried again. Once it is cancelled nobody waits for it. */
  readonly send: (batch: readonly Item[], cancellation: Cancellation) => Promise<Sent>;
  /** Reports why a batch was not delivered: the first time, and whenever the reason is another one; and when one is delivered after that. */
  readonly say: (state: { readonly failing?: string }) => void;
}

/** Counts of items since the start. Together they are all that were added. */
export interface DeliveryCounts {
  readonly waiting: number;
  readonly delivered: number;
  /** Of those that found the queue full, or came after its end. */
  readonly dropped: number;
  /** Of those that the receiver will not take. */
  readonly refused: number;
  /** Of those that were given up because they were too old, or because the gateway ended. */
  readonly expired: number;
  /** Attempts after the first of a batch. */
  readonly retries: number;
}

/** How often a receiver is tried at most while its queue ends: one that keeps failing is given up, and holds nobody up. */
const lastTries = 4;
/** The longest that a receiver may ask for while its queue ends, in milliseconds. */
const longestLastWaitMs = 5000;

interface Waiting<Item> {
  readonly item: Item;
  readonly tenant: string;
  readonly bytes: number;
  readonly since: number;
}

/** A receiver may have a bound for a while only. */
const regrowth = 1.02;

const sumBytes = (batch: readonly { readonly bytes: number }[]): number =>
  batch.reduce((sum, { bytes }) => sum + bytes, 0);

/** An item that is too large by itself is refused. */
const isToBeDivided = (sent: Sent, length: number): boolean =>
  sent.kind === 'refused' && sent.isTooLarge === true && length > 1;

/**
 * Delivers items to one receiver outside of requests, in order and in batches. Adding never waits and never throws. What a
 * receiver does not take is tried again, with growing waits, until it is too old; what finds the queue full is dropped. An item
 * can be delivered twice where a receiver took it and its answer was lost. A batch that is too large for the receiver is divided,
 * and later ones have at most half of its bytes, and 2 % more after each that is taken.
 */
export class Delivery<Item> {
  readonly #options: DeliveryOptions<Item>;
  readonly #shares: FairShares;
  readonly #held = new HeldBytes();
  readonly #queue: Waiting<Item>[] = [];
  /** The most bytes of a batch: fewer than the bounds say where the receiver refuses so many. */
  #batchBytes: number;
  readonly #closing = createCancellation();
  readonly #ended = createCancellation();
  readonly #counts = { delivered: 0, dropped: 0, refused: 0, expired: 0, retries: 0 };
  #running: Promise<void> | undefined;
  /** Ends the wait for more items; absent while there is none. */
  #gathered: (() => void) | undefined;
  #failing: string | undefined;
  /** Attempts that have failed since the queue ends. */
  #failedLast = 0;

  constructor(options: DeliveryOptions<Item>) {
    this.#options = options;
    this.#batchBytes = options.bounds.batchBytes;
    this.#shares = new FairShares(options.bounds.items);
  }

  /** Takes an item; returns false where it is dropped. */
  add(item: Item, { tenant, bytes }: { readonly tenant: string; readonly bytes: number }): boolean {
    if (this.#closing.cancellation.cancelled || !this.#hasRoom(tenant, bytes) || !this.#shares.take(tenant)) {
      this.#counts.dropped += 1;
      return false;
    }
    this.#held.take(tenant, bytes);
    this.#queue.push({ item, tenant, bytes, since: this.#options.clock.monotonic() });
    if (this.#gathered !== undefined && this.#isFull()) this.#gathered();
    this.#running ??= this.#run();
    return true;
  }

  counts(): DeliveryCounts {
    return { waiting: this.#queue.length, ...this.#counts };
  }

  /**
   * Delivers what waits, for so long at most; what is left then is given up. A batch that waits for another attempt is sent at once,
   * and a receiver that still fails after some attempts is given up before.
   */
  async close(graceMs: number): Promise<void> {
    this.#closing.cancel();
    const stop = this.#options.clock.after(graceMs, this.#ended.cancel);
    await this.#running;
    stop();
    this.#ended.cancel();
    this.#counts.expired += this.#take(this.#queue.length);
  }

  #hasRoom(tenant: string, bytes: number): boolean {
    const max = this.#options.bounds.bytes;
    return this.#held.all + bytes <= max && this.#held.of(tenant) + bytes <= max / 4;
  }

  /** Takes the first items out of the queue, and returns how many they were. */
  #take(count: number): number {
    const taken = this.#queue.splice(0, count);
    for (const { tenant, bytes } of taken) {
      this.#shares.give(tenant);
      this.#held.give(tenant, bytes);
    }
    return taken.length;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0 && !this.#ended.cancellation.cancelled) {
      if (!this.#isFull()) await this.#gather();
      await this.#sendFirst();
    }
    this.#running = undefined;
  }

  /** Whether no more items could be in the next batch. */
  #isFull(): boolean {
    return this.#queue.length >= this.#options.bounds.batchItems || this.#held.all >= this.#batchBytes;
  }

  /** Waits for more items, until a batch is full, their time is over, or the queue ends. */
  async #gather(): Promise<void> {
    const { clock, bounds } = this.#options;
    const { cancellation, cancel } = createCancellation();
    this.#gathered = cancel;
    const stopListening = this.#closing.cancellation.onCancel(cancel);
    await wait(bounds.gatherMs, clock, cancellation);
    stopListening();
    this.#gathered = undefined;
  }

  /** The number of items of the next batch. */
  #batchLength(): number {
    const { batchItems } = this.#options.bounds;
    let bytes = 0;
    let length = 0;
    for (const waiting of this.#queue) {
      bytes += waiting.bytes;
      if (length > 0 && (length === batchItems || bytes > this.#batchBytes)) break;
      length += 1;
    }
    return length;
  }

  /** Sends the first batch, or a part of it that is small enough, until it is delivered, refused or too old. */
  async #sendFirst(): Promise<void> {
    const { clock, random, bounds } = this.#options;
    let length = this.#batchLength();
    const batch = this.#queue.slice(0, length);
    const oldest = batch[0]?.since ?? clock.monotonic();
    for (let retry = 0; ; retry += 1) {
      const sent = await this.#send(batch.slice(0, length).map(({ item }) => item));
      if (isToBeDivided(sent, length)) {
        this.#batchBytes = sumBytes(batch.slice(0, length)) / 2;
        length = Math.min(this.#batchLength(), length - 1);
        this.#counts.retries += 1;
        continue;
      }
      if (sent.kind !== 'again') {
        const refused = sent.kind === 'delivered' ? Math.min(sent.refused?.count ?? 0, length) : length;
        if (sent.kind === 'delivered') this.#batchBytes = Math.min(bounds.batchBytes, this.#batchBytes * regrowth);
        this.#take(length);
        this.#counts.refused += refused;
        this.#counts.delivered += length - refused;
        return;
      }
      const isClosing = this.#closing.cancellation.cancelled;
      if (isClosing) this.#failedLast += 1;
      const growth = isClosing ? this.#failedLast - 1 : retry;
      const waitMs = Math.max(retryWaitMs(growth, random()), sent.afterMs ?? 0);
      if (isClosing && (this.#failedLast >= lastTries || waitMs > longestLastWaitMs)) this.#ended.cancel();
      const isTooOld = clock.monotonic() + waitMs - oldest > bounds.maxAgeMs;
      if (isTooOld || !(await this.#rest(waitMs))) {
        this.#counts.expired += this.#take(length);
        return;
      }
      this.#counts.retries += 1;
    }
  }

  /** Waits before another attempt, which is made at once when the queue begins to end; false if there is to be none. */
  async #rest(ms: number): Promise<boolean> {
    const { cancellation, cancel } = createCancellation();
    const closing = this.#closing.cancellation;
    const stops = [this.#ended.cancellation.onCancel(cancel), ...(closing.cancelled ? [] : [closing.onCancel(cancel)])];
    if (!this.#ended.cancellation.cancelled) await wait(ms, this.#options.clock, cancellation);
    for (const stop of stops) stop();
    return !this.#ended.cancellation.cancelled;
  }

  async #send(items: readonly Item[]): Promise<Sent> {
    const sent = await this.#answer(items);
    if (isToBeDivided(sent, items.length)) return sent;
    const failing = sent.kind === 'delivered' ? sent.refused?.reason : sent.reason;
    if (failing !== this.#failing) this.#options.say(failing === undefined ? {} : { failing });
    this.#failing = failing;
    return sent;
  }

  /** The answer of the receiver, which has none where it takes too long, or the queue ends. */
  async #answer(items: readonly Item[]): Promise<Sent> {
    const { send, clock, bounds } = this.#options;
    const { cancellation, cancel } = createCancellation();
    const { promise, resolve } = Promise.withResolvers<Sent>();
    cancellation.onCancel(() => resolve({ kind: 'again', reason: `It did not answer within ${bounds.sendMs} ms.` }));
    const stopTimer = clock.after(bounds.sendMs, cancel);
    const stopListening = this.#ended.cancellation.onCancel(cancel);
    const answered = (async () => send(items, cancellation))();
    answered.then(resolve, (error: unknown) => resolve({ kind: 'again', reason: errorText(error) }));
    const sent = await promise;
    stopTimer();
    stopListening();
    return sent;
  }
}
