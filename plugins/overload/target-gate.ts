import { gatewayError } from '../../schema/errors/errors.ts';
import type { Clock } from '../sdk/clock.ts';
import type { PlaceAnswer, PlaceRequest, TargetPlace, TargetStatus } from '../sdk/overload/overload.ts';
import type { Rank } from '../sdk/overload/priority-rank.ts';
import { GradientLimit, type LimitBounds } from './gradient-limit.ts';
import { LastOutcomes } from './last-outcomes.ts';
import { retryAfter, type ShedReason } from './refusal.ts';
import { type LineBounds, type Waiter, WaitingLine } from './waiting-line.ts';

export interface GateBounds {
  readonly limit: LimitBounds;
  readonly line: LineBounds;
  /** The maximum time that a request waits, in milliseconds. */
  readonly waitMs: number;
}

export interface GateServices {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  /** Counts a refused request. */
  readonly shed: (reason: ShedReason, rank: Rank) => void;
  /** Returns how many milliseconds the event loop was late when last measured. */
  readonly delayMs: () => number;
}

/** The weight of one attempt in the average time for which places are held. */
const heldWeight = 0.1;
/** The part of a time that may be the delay of the process itself. */
const maxOwnShare = 1 / 4;
/** The part of the maximum wait that is left while the queue has not been empty for longer than that. */
const standingShare = 1 / 4;

interface Waiting extends Waiter {
  readonly since: number;
  readonly give: (place: TargetPlace) => void;
  readonly refuse: (reason: ShedReason) => void;
}

/** The place of an attempt without a limit. */
export const noPlace: TargetPlace = { waitedMs: 0, answered: () => {}, end: () => {} };

/**
 * Lets as many attempts to a target be open as it can handle, and queues the others up to a limit. An attempt that cannot get a
 * place in time, judging by how long places are held, is refused on arrival; a failing target is not worth waiting for. While the
 * queue has not been empty for the maximum wait, the load is not a burst: a new request may then wait for a quarter of that
 * (CoDel's controlled delay), so that the queue stays short and those in it are served.
 */
export class TargetGate {
  readonly #bounds: GateBounds;
  readonly #services: GateServices;
  readonly #limit: GradientLimit;
  readonly #outcomes = new LastOutcomes();
  readonly #line: WaitingLine<Waiting>;
  #open = 0;
  #calledAt = 0;
  /** How long a place is held on average, in milliseconds. Undefined before one was given back. */
  #heldMs: number | undefined;
  /** Since when the queue has not been empty. */
  #standingSince = 0;
  #waited = 0;
  #waitedMs = 0;

  constructor(bounds: GateBounds, services: GateServices) {
    this.#bounds = bounds;
    this.#services = services;
    this.#limit = new GradientLimit(bounds.limit);
    this.#line = new WaitingLine(bounds.line);
  }

  get isIdle(): boolean {
    return this.#open === 0 && this.#line.length === 0;
  }

  /** When a place was last granted, on the monotonic clock. */
  get calledAt(): number {
    return this.#calledAt;
  }

  get waiting(): number {
    return this.#line.length;
  }

  status(): Omit<TargetStatus, 'plan' | 'target'> {
    return {
      limit: this.#limit.limit,
      open: this.#open,
      waiting: this.#line.length,
      waited: this.#waited,
      waitedMs: this.#waitedMs,
    };
  }

  /** Grants a place. Throws, or rejects with, the `GatewayError` `target-overloaded`. */
  enter(request: PlaceRequest, rank: Rank): TargetPlace | Promise<TargetPlace> {
    if (this.#line.length === 0 && this.#open < this.#limit.limit) return this.#take(0);
    const waiter = { rank, tenant: request.exchange.principal.tenant, bytes: request.bytes };
    const expectedMs = this.#expectedMs(waiter);
    const maxWaitMs = Math.min(this.#maxWaitMs(), request.maxWaitMs);
    const refuse = (reason: ShedReason): never => {
      throw this.#refusal(reason, waiter);
    };
    if (request.exchange.mirrorOf !== undefined) return refuse('mirror');
    if (this.#outcomes.areFailing || request.isCircuitOpen()) return refuse('failing');
    if (expectedMs > maxWaitMs || maxWaitMs <= 0) return refuse('queue-time');
    const displaced = this.#line.makesRoom(waiter);
    if (displaced === undefined) return refuse('queue-full');
    for (const other of displaced) other.refuse('displaced');
    return this.#wait(waiter, maxWaitMs, request);
  }

  #wait(waiter: Waiter, maxWaitMs: number, { cancellation }: PlaceRequest): Promise<TargetPlace> {
    const { clock } = this.#services;
    const since = clock.monotonic();
    if (this.#line.length === 0) this.#standingSince = since;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        stopTimer();
        stopListening();
        this.#line.remove(waiting);
      };
      const waiting: Waiting = {
        ...waiter,
        since,
        give: (place) => {
          leave();
          resolve(place);
        },
        refuse: (reason) => {
          leave();
          reject(this.#refusal(reason, waiter));
        },
      };
      this.#line.add(waiting);
      const stopTimer = clock.after(maxWaitMs, () => waiting.refuse('expired'));
      const stopListening = cancellation.onCancel(() => {
        stopTimer();
        this.#line.remove(waiting);
        resolve(noPlace);
      });
    });
  }

  /** Returns how long a request that arrives now has to wait, by Little's law. */
  #expectedMs(waiter: Waiter): number {
    return ((this.#line.ahead(waiter) + 1) * (this.#heldMs ?? 0)) / this.#limit.limit;
  }

  #maxWaitMs(): number {
    const { waitMs } = this.#bounds;
    const isStanding = this.#line.length > 0 && this.#services.clock.monotonic() - this.#standingSince > waitMs;
    return isStanding ? waitMs * standingShare : waitMs;
  }

  #refusal(reason: ShedReason, waiter: Waiter): Error {
    this.#services.shed(reason, waiter.rank);
    return gatewayError('target-overloaded', {}, retryAfter(this.#expectedMs(waiter), this.#services.random));
  }

  #take(waitedMs: number): TargetPlace {
    const { clock } = this.#services;
    const beganAt = clock.monotonic();
    let isHeld = true;
    this.#open += 1;
    this.#calledAt = beganAt;
    this.#limit.began(this.#open);
    return {
      waitedMs,
      answered: (answer) => this.#answered(answer),
      end: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#open -= 1;
        const heldMs = clock.monotonic() - beganAt;
        this.#heldMs = this.#heldMs === undefined ? heldMs : this.#heldMs + (heldMs - this.#heldMs) * heldWeight;
        this.#serve();
      },
    };
  }

  #answered(answer: PlaceAnswer): void {
    this.#outcomes.add(answer.outcome);
    // If the process itself is late, times are not meaningful for the target.
    if (this.#services.delayMs() > answer.ms * maxOwnShare) this.#limit.pause(this.#open);
    else this.#limit.answered(answer, { now: this.#services.clock.monotonic(), open: this.#open });
    this.#serve();
  }

  #serve(): void {
    const now = this.#services.clock.monotonic();
    while (this.#open < this.#limit.limit) {
      const next = this.#line.next();
      if (next === undefined) return;
      const waitedMs = now - next.since;
      this.#waited += 1;
      this.#waitedMs += waitedMs;
      next.give(this.#take(waitedMs));
    }
  }
}
