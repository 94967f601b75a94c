import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { FairShares } from '../../../plugins/sdk/fairness/fair-shares.ts';
import { HeldBytes } from '../../../plugins/sdk/fairness/held-bytes.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import type { MirrorReport } from '../../../plugins/sdk/hooks/mirror-report.ts';
import { CancellationSource } from '../../async/cancellation-source.ts';
import { observeEvent } from '../plugins/observe.ts';
import type { AnswerMemory } from './answer-bounds.ts';
import type { RequestGate } from './limited-run.ts';

interface Bounds {
  /** How many copies are in flight at once. One tenant has at most a quarter of them. */
  readonly copies: number;
  /** How many bytes of requests and answers these hold together. One tenant has at most a quarter of them. */
  readonly bytes: number;
}

const defaultBounds: Bounds = { copies: 256, bytes: 64 * 1024 * 1024 };

export interface MirrorsOptions {
  readonly hooks: Hooks;
  /** Checks with the limiter whether a copy may be sent. */
  readonly admit: RequestGate;
  /** False if a request is replayed: copies are drawn, but not sent. */
  readonly sends: boolean;
  /** Whether the gateway is too busy for copies. If absent, it never is. */
  readonly isBusy?: (() => boolean) | undefined;
  readonly bounds?: Bounds;
}

/** The place of one copy. */
export interface MirrorPlace {
  readonly cancellation: CancellationSource;
  /** Reserves further bytes. Returns false, and reserves none, if there is no room. */
  hold(bytes: number): boolean;
  /** Sends the copy, and releases the place. */
  run(send: () => Promise<void>): void;
  /** Releases the place without sending anything. */
  release(): void;
}

/**
 * The copies of requests that are in flight. Their number and bytes are limited, and each tenant has a share. A copy without a
 * place is dropped.
 */
export class Mirrors {
  readonly admit: RequestGate;
  readonly sends: boolean;
  /** Counts the answers of copies. */
  readonly answerMemory: AnswerMemory;
  readonly #hooks: Hooks;
  readonly #isBusy: (() => boolean) | undefined;
  readonly #shares: FairShares;
  readonly #maxBytes: number;
  readonly #bytes = new HeldBytes();
  readonly #open = new Set<CancellationSource>();
  readonly #running = new Set<Promise<void>>();
  readonly #places = new WeakMap<Exchange, MirrorPlace>();
  #isClosed = false;

  constructor({ hooks, admit, sends, isBusy, bounds = defaultBounds }: MirrorsOptions) {
    this.admit = admit;
    this.sends = sends;
    this.#hooks = hooks;
    this.#isBusy = isBusy;
    this.#shares = new FairShares(bounds.copies);
    this.#maxBytes = bounds.bytes;
    this.answerMemory = { take: (bytes, exchange) => this.#places.get(exchange)?.hold(bytes) === true };
  }

  /** Takes a place for a copy. Returns undefined if there is none. */
  take(tenant: string, bytes: number): MirrorPlace | undefined {
    if (this.#isClosed || this.#isBusy?.() === true) return undefined;
    if (!this.#hasRoom(tenant, bytes) || !this.#shares.take(tenant)) return undefined;
    const cancellation = new CancellationSource();
    this.#open.add(cancellation);
    this.#bytes.take(tenant, bytes);
    let held = bytes;
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      this.#open.delete(cancellation);
      this.#bytes.give(tenant, held);
      this.#shares.give(tenant);
    };
    return {
      cancellation,
      release,
      hold: (more) => {
        if (!isHeld || !this.#hasRoom(tenant, more)) return false;
        this.#bytes.take(tenant, more);
        held += more;
        return true;
      },
      run: (send) => {
        const running = send().finally(() => {
          this.#running.delete(running);
          release();
        });
        this.#running.add(running);
      },
    };
  }

  /** Counts the bytes of the answer to a copy towards its place. */
  placeOf(exchange: Exchange, place: MirrorPlace): void {
    this.#places.set(exchange, place);
  }

  report(report: MirrorReport, exchange: Exchange): void {
    observeEvent(this.#hooks, this.#hooks.mirrored, report, exchange);
  }

  /** Ends the copies that are in flight. Resolves when their usage is known. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancellation of [...this.#open]) cancellation.cancel();
    await Promise.allSettled([...this.#running]);
  }

  #hasRoom(tenant: string, bytes: number): boolean {
    const share = tenant === '' ? this.#maxBytes : this.#maxBytes / 4;
    return this.#bytes.all + bytes <= this.#maxBytes && this.#bytes.of(tenant) + bytes <= share;
  }
}
