import type { TenantId } from '../../sdk/exchange/exchange.ts';
import type { Verdict } from '../../sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../sdk/http/http.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import { createCancellation } from '../../sdk/time/cancellation.ts';
import type { CallShares } from './call-shares.ts';
import { lateError } from './late-error.ts';
import { NotBegun } from './not-begun.ts';
import type { RequestingCall } from './protocol/host-requests.ts';

/** How long a check that was cancelled may take to return, in milliseconds. */
const graceMs = 500;

/** A call that the process has not finished. */
export interface Call extends RequestingCall {
  readonly check: string;
  /** The length of its message. */
  size: number;
  /** Whether the check has started. */
  started: boolean;
  /** Whether another process runs the call instead, so that this process must not start it. */
  released: boolean;
  /** Whether the process has read that the call is cancelled. If so, it is not occupied by another call. */
  cancelled: boolean;
  /** Records that the check read something that may differ between targets. */
  readonly recordTargetRead: () => void;
  /** Settles the call once. Later calls have no effect. */
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: Error) => void;
  /** Aborts the call's requests and clears its timers. */
  readonly end: () => void;
  /** Called if the process starts a call that was released, which must then end within its time. */
  readonly watch: () => void;
}

export interface NewCall extends Pick<RequestingCall, 'http' | 'tenant'> {
  readonly check: string;
  readonly cancellation: Cancellation;
  readonly withinMs: number;
  /** The `RunMembers` as JSON. They can be long, so the same text is sent to each process that is to run the call. */
  readonly members: string;
  /** Records that the check read something that may differ between targets. */
  readonly recordTargetRead: () => void;
  /** The remaining part of that time. All of it if absent. */
  readonly leftMs?: number;
}

/** Runs a check. Rejects if it throws, takes too long, or its process ends. */
export type RunCheck = (call: NewCall) => Promise<Verdict>;

export interface CallsOptions {
  readonly plugin: string;
  readonly timers: Timers;
  /** The unanswered calls of all processes of the plugin. */
  readonly shares: CallShares;
  /** Notifies the process that a call is cancelled. */
  readonly cancel: (id: number) => void;
  /** Called if a check did not return although its time was over and it was cancelled. */
  readonly stuck: (culprit: Call, withinMs: number) => void;
}

/** The calls of one process, by number. */
export class Calls {
  readonly #options: CallsOptions;
  readonly #calls = new Map<number, Call>();
  #last = 0;
  #emptied: (() => void) | undefined;

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** Returns why no further call of this tenant may be sent, as the end of a sentence, or undefined if one may. */
  refusal(tenant: string): string | undefined {
    return this.#options.shares.refusal(tenant);
  }

  /** The length of the longest message of an unfinished call. */
  get longest(): number {
    return Math.max(0, ...Array.from(this.#calls.values(), ({ size }) => size));
  }

  get size(): number {
    return this.#calls.size;
  }

  of(id: number): Call | undefined {
    return this.#calls.get(id);
  }

  /** Adds a call, and returns its number and its verdict. */
  begin({ check, tenant, cancellation, http, recordTargetRead, withinMs, leftMs = withinMs }: NewCall): {
    readonly id: number;
    readonly verdict: Promise<Verdict>;
  } {
    const { plugin, timers, shares, cancel } = this.#options;
    this.#last += 1;
    const id = this.#last;
    const { promise: verdict, resolve, reject } = Promise.withResolvers<Verdict>();
    const own = createCancellation(cancellation);
    const stopAll = (): void => {
      cancel(id);
      own.cancel();
    };
    const stopListening = cancellation.onCancel(stopAll);
    // Work in another process does not count as the gateway's own time.
    const endWait = cancellation.waits?.begin();
    const stuck = (): void => this.#options.stuck(this.#culprit(id), withinMs);
    const stopTimers = [
      timers.after(leftMs, () => {
        reject(lateError(plugin, { check, withinMs }));
        stopAll();
      }),
      timers.after(leftMs + graceMs, stuck),
    ];
    shares.take(tenant);
    this.#calls.set(id, {
      check,
      size: 0,
      started: false,
      released: false,
      cancelled: false,
      requests: 0,
      http,
      tenant,
      cancellation: own.cancellation,
      recordTargetRead,
      resolve,
      reject,
      end: () => {
        for (const stop of stopTimers) stop();
        stopListening();
        endWait?.();
        own.cancel();
      },
      watch: () => void stopTimers.push(timers.after(withinMs + graceMs, stuck)),
    });
    return { id, verdict };
  }

  /** Records the length of a call's message. */
  sent(id: number, size: number): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    call.size = size;
    this.#options.shares.add(call.tenant, size);
  }

  /** Called when the process starts or continues the check of a call. */
  started(call: Call, id: number): void {
    if (call.released && !call.started) call.watch();
    call.started = true;
    // Moves the call to the end: the last one is the one that runs.
    this.#calls.delete(id);
    this.#calls.set(id, call);
  }

  /** Whether the process has calls that have not started, of any tenant except this one. */
  waitsBeside(tenant?: string): boolean {
    return this.#waiting().some(([, call]) => call.tenant !== tenant);
  }

  /** Gives up the calls of some tenants that have not started. Each rejects with `NotBegun`. */
  release(matches: (tenant: TenantId) => boolean): void {
    for (const [id, call] of this.#waiting()) {
      if (!matches(call.tenant)) continue;
      call.released = true;
      this.#options.shares.give(call.tenant, call.size);
      call.end();
      this.#options.cancel(id);
      call.reject(new NotBegun());
    }
  }

  /** Removes a call that the process has answered. */
  take(id: number): Call | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    this.#calls.delete(id);
    if (!call.released) this.#options.shares.give(call.tenant, call.size);
    call.end();
    if (this.#calls.size === 0) this.#emptied?.();
    return call;
  }

  #waiting(): readonly (readonly [number, Call])[] {
    return [...this.#calls].filter(([, { started, released }]) => !started && !released);
  }

  /** Returns the last call whose check has started or continued. */
  lastStarted(): Call | undefined {
    return [...this.#calls.values()].findLast(({ started }) => started);
  }

  /** Fails all calls, each with its own error. */
  failAll(error: (call: Call) => Error): void {
    for (const [id, call] of [...this.#calls]) {
      call.reject(error(call));
      this.take(id);
    }
  }

  /** Calls `run` when no call is left, or immediately if there is none. */
  whenEmpty(run: () => void): void {
    this.#emptied = run;
    if (this.#calls.size === 0) run();
  }

  /** If a process does not read its input, the last call that it started occupies it. */
  #culprit(id: number): Call {
    const late = this.#calls.get(id);
    if (late === undefined) throw new RangeError(`There is no call ${id}.`);
    return late.cancelled ? late : (this.lastStarted() ?? late);
  }
}
