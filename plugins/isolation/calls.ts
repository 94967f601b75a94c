import { createCancellation } from '../sdk/cancellation.ts';
import type { CheckInput, CheckServices, Verdict } from '../sdk/guardrail.ts';
import type { Timers } from '../sdk/in-process.ts';
import { unwatchedOf } from '../sdk/unwatched.ts';
import { CallShares } from './call-shares.ts';
import type { RequestingCall } from './host-requests.ts';

/** How long a check that was cancelled may take to return, in milliseconds. */
const graceMs = 500;

/** A call that the process has not ended yet. */
export interface Call extends RequestingCall {
  readonly check: string;
  /** The length of its message. */
  size: number;
  /** Whether the check has begun. */
  started: boolean;
  /** Whether the process has read that it is cancelled: then it is not occupied by another call. */
  cancelled: boolean;
  /** The check looked at what may differ from one target to the next. */
  readonly looksAtTarget: () => void;
  /** Settles it once; later calls do nothing. */
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: Error) => void;
  /** Ends its requests, and forgets its timers. */
  readonly end: () => void;
}

export interface NewCall {
  readonly check: string;
  readonly input: CheckInput;
  readonly services: CheckServices;
  readonly withinMs: number;
}

export interface CallsOptions {
  readonly plugin: string;
  readonly timers: Timers;
  /** Tells the process that a call is cancelled. */
  readonly cancel: (id: number) => void;
  /** A check did not return, though its time was over and it was cancelled. */
  readonly stuck: (culprit: Call, withinMs: number) => void;
}

/** The calls of one process, by number. */
export class Calls {
  readonly #options: CallsOptions;
  readonly #calls = new Map<number, Call>();
  readonly #shares = new CallShares();
  #last = 0;
  #emptied: (() => void) | undefined;

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** Why no further call of this tenant may be sent, as the end of a sentence. */
  refusal(tenant: string): string | undefined {
    return this.#shares.refusal(tenant);
  }

  /** The length of the longest message of a call that has not ended. */
  get longest(): number {
    return Math.max(0, ...Array.from(this.#calls.values(), ({ size }) => size));
  }

  of(id: number): Call | undefined {
    return this.#calls.get(id);
  }

  /** A new call: its verdict, and its number. */
  begin({ check, input, services, withinMs }: NewCall): { readonly id: number; readonly verdict: Promise<Verdict> } {
    const { plugin, timers, cancel } = this.#options;
    this.#last += 1;
    const id = this.#last;
    const { promise: verdict, resolve, reject } = Promise.withResolvers<Verdict>();
    const own = createCancellation();
    const stopAll = (): void => {
      cancel(id);
      own.cancel();
    };
    const stopListening = input.cancellation.onCancel(stopAll);
    const stopTimers = [
      timers.after(withinMs, () => {
        const late = `The check "${check}" of the isolated plugin "${plugin}" did not answer within ${withinMs} ms.`;
        reject(Object.assign(new Error(late), { name: 'TimeoutError' }));
        stopAll();
      }),
      timers.after(withinMs + graceMs, () => this.#options.stuck(this.#culprit(id), withinMs)),
    ];
    this.#shares.take(input.tenant);
    this.#calls.set(id, {
      check,
      size: 0,
      started: false,
      cancelled: false,
      requests: 0,
      http: services.http,
      tenant: input.tenant,
      cancellation: own.cancellation,
      looksAtTarget: () => unwatchedOf(input)?.looksAtTarget(),
      resolve,
      reject,
      end: () => {
        for (const stop of stopTimers) stop();
        stopListening();
        own.cancel();
      },
    });
    return { id, verdict };
  }

  /** Notes how long the message of a call was. */
  sent(id: number, size: number): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    call.size = size;
    this.#shares.add(call.tenant, size);
  }

  /** Ends a call: the process has answered it. */
  take(id: number): Call | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    this.#calls.delete(id);
    this.#shares.give(call.tenant, call.size);
    call.end();
    if (this.#calls.size === 0) this.#emptied?.();
    return call;
  }

  /** The last call whose check has begun. */
  lastStarted(): Call | undefined {
    return [...this.#calls.values()].findLast(({ started }) => started);
  }

  /** Fails all calls, each with its own message. */
  failAll(message: (call: Call) => string): void {
    for (const [id, call] of [...this.#calls]) {
      call.reject(new Error(message(call)));
      this.take(id);
    }
  }

  /** Calls back when no call is left; at once if there is none. */
  whenEmpty(run: () => void): void {
    this.#emptied = run;
    if (this.#calls.size === 0) run();
  }

  /** A process that reads nothing is occupied by the last call that it began. */
  #culprit(id: number): Call {
    const late = this.#calls.get(id);
    if (late === undefined) throw new RangeError(`There is no call ${id}.`);
    return late.cancelled ? late : (this.lastStarted() ?? late);
  }
}
