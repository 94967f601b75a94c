import { errorText } from '../../../schema/text/error-text.ts';
import { FairShares } from '../fairness/fair-shares.ts';
import { HeldBytes } from '../fairness/held-bytes.ts';
import type { Cancellation } from '../http/http.ts';
import type { Timers } from '../http/in-process.ts';
import { createCancellation } from '../time/cancellation.ts';
import { wait } from '../time/wait.ts';
import { retryWaitMs } from './retry-wait.ts';

/** How a receiver answered a batch. `again`: it may accept the same batch later, after `afterMs` if that is set. */
export type Sent =
  | {
      readonly kind: 'delivered';
      /** Items of the batch that the receiver rejected, although it accepted the others. */
      readonly refused?: { readonly count: number; readonly reason: string };
    }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** Whether the batch has more bytes than the receiver accepts. It is then sent in smaller batches. */
      readonly isTooLarge?: boolean;
    }
  | { readonly kind: 'again'; readonly reason: string; readonly afterMs?: number };

/** The limits of one queue. */
export interface DeliveryBounds {
  /** The maximum number of waiting items, including the batch that is being sent. One tenant has at most a quarter of them. */
  readonly items: number;
  /** The maximum size of the waiting items, in bytes. One tenant has at most a quarter of it. */
  readonly bytes: number;
  /** The maximum number of items in a batch. */
  readonly batchItems: number;
  /** The maximum size of a batch in bytes. A larger item is sent alone. */
  readonly batchBytes: number;
  /** How long an item waits for others, in milliseconds. */
  readonly gatherMs: number;
  /** How long a receiver may take to answer, in milliseconds. */
  readonly sendMs: number;
  /** The maximum age of an item that is sent again, in milliseconds. Older items are given up. */
  readonly maxAgeMs: number;
}

export interface DeliveryOptions<Item> {
  readonly bounds: DeliveryBounds;
  readonly clock: Timers & {
    /** Returns milliseconds of a monotonic clock. */
    monotonic(): number;
  };
  /** Returns a random number of at least 0 and less than 1, so that not all gateways retry a receiver at the same time. */
  readonly random: () => number;
  /** Sends a batch. A rejected promise is retried. After cancellation, the result is ignored. */
  readonly send: (batch: readonly Item[], cancellation: Cancellation) => Promise<Sent>;
  /**
   * Reports why a batch was not delivered, the first time and whenever the reason changes, and when a batch is delivered after
   * that.
   */
  readonly say: (state: { readonly failing?: string }) => void;
}

/** Counts of items since the start. Their sum is the number of items added. */
export interface DeliveryCounts {
  readonly waiting: number;
  readonly delivered: number;
  /** Items that were added when the queue was full or after it was closed. */
  readonly dropped: number;
  /** Items that the receiver rejected. */
  readonly refused: number;
  /** Items that were given up because they were too old or because the gateway shut down. */
  readonly expired: number;
  /** Attempts after the first one of each batch. */
  readonly retries: number;
}

/** The maximum number of attempts while the queue is closing. A receiver that keeps failing must not delay the shutdown. */
const lastTries = 4;
/** The longest wait that a receiver may request while the queue is closing, in milliseconds. */
const longestLastWaitMs = 5000;

interface Waiting<Item> {
  readonly item: Item;
  readonly tenant: string;
  readonly bytes: number;
  readonly since: number;
}

/** The limit of a receiver may be temporary. */
const regrowth = 1.02;

const sumBytes = (batch: readonly { readonly bytes: number }[]): number =>
  batch.reduce((sum, { bytes }) => sum + bytes, 0);

/** A single item that is too large is refused. */
const isToBeDivided = (sent: Sent, length: number): boolean =>
  sent.kind === 'refused' && sent.isTooLarge === true && length > 1;

/**
 * Delivers items to one receiver outside of requests, in order and in batches. Adding an item never waits and never throws. If a
 * batch is not accepted, it is retried with increasing waits until it is too old; items that find the queue full are dropped. An
 * item can be delivered twice if the receiver accepted it but the answer was lost. If a batch is too large for the receiver, it
 * is divided; later batches have at most half of its bytes, and 2 % more after each accepted one.
 */
export class Delivery<Item> {
  readonly #options: DeliveryOptions<Item>;
  readonly #shares: FairShares;
  readonly #held = new HeldBytes();
  readonly #queue: Waiting<Item>[] = [];
  /** The maximum size of a batch in bytes. Smaller than in `bounds` if the receiver has rejected batches as too large. */
  #batchBytes: number;
  readonly #closing = createCancellation();
  readonly #ended = createCancellation();
  readonly #counts = { delivered: 0, dropped: 0, refused: 0, expired: 0, retries: 0 };
  #running: Promise<void> | undefined;
  /** Ends the wait for more items. Absent if there is none. */
  #gathered: (() => void) | undefined;
  #failing: string | undefined;
  /** The number of failed attempts since the queue started to close. */
  #failedLast = 0;

  constructor(options: DeliveryOptions<Item>) {
    this.#options = options;
    this.#batchBytes = options.bounds.batchBytes;
    this.#shares = new FairShares(options.bounds.items);
  }

  /** Adds an item. Returns false if it is dropped. */
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
   * Delivers the waiting items for at most `graceMs`, then gives up the rest. A batch that waits for a retry is sent immediately.
   * If the receiver still fails after several attempts, the rest is given up earlier.
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

  /** Removes the first items from the queue, and returns how many they were. */
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

  /** Waits for more items until a batch is full, their time is over, or the queue is closed. */
  async #gather(): Promise<void> {
    const { clock, bounds } = this.#options;
    const { cancellation, cancel } = createCancellation();
    this.#gathered = cancel;
    const stopListening = this.#closing.cancellation.onCancel(cancel);
    await wait(bounds.gatherMs, clock, cancellation);
    stopListening();
    this.#gathered = undefined;
  }

  /** Returns the number of items in the next batch. */
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

  /** Waits before the next attempt, or until the queue starts to close. Returns false if there is to be no further attempt. */
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

  /** Sends items and returns the receiver's answer, or `again` if it takes too long or the queue has ended. */
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
