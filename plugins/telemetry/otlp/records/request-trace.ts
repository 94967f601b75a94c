import type { Exchange, Operation } from '../../../sdk/exchange/exchange.ts';
import type { AttemptStart } from '../../../sdk/hooks/attempt-start.ts';
import { hexIds } from '../../../sdk/logs/hex-ids.ts';
import { findNamedId, findNamedParent } from './named-span.ts';
import type { EventRecord, SpanPlace } from './records.ts';
import { findTraceParent, type TraceParent, writeTraceParent } from './trace-parent.ts';

const newTraceId = hexIds(16);
const newSpanId = hexIds(8);

const traceIdForm = /^(?!0{32})[0-9a-f]{32}$/;

/** An attempt that has been announced and has not ended. */
export interface RunningAttempt {
  readonly start: AttemptStart;
  readonly operation: Operation;
  /** In milliseconds of the runtime's clock. */
  readonly at: number;
  /** Empty if it has no span. */
  readonly spanId: string;
  /** The status of the upstream. */
  status: number | null;
  error: string | null;
  /** Whether its span has ended. It ends with its request if the attempt ends later. */
  hasEndedSpan: boolean;
}

const none: readonly never[] = [];

/** Collects the spans of a running request: their ids, its attempts and its events. */
export class RequestTrace {
  /** The exchange with which it started. */
  readonly exchange: Exchange;
  readonly startedAt: number;
  /** Whether its spans are kept. */
  readonly isSampled: boolean;
  readonly events: EventRecord[] = [];
  /** Whether its answer has ended. */
  isOver = false;
  #attempts: readonly RunningAttempt[] = none;
  readonly #parent: TraceParent | undefined;
  readonly #namedParent: string | undefined;
  readonly #traceId: string;
  readonly #spanId: string;

  /** @param sampler decides whether a trace without a parent is kept */
  constructor(exchange: Exchange, startedAt: number, sampler: (traceId: string) => boolean) {
    this.exchange = exchange;
    this.startedAt = startedAt;
    const { headers } = exchange.request;
    const parent = findTraceParent(headers);
    this.#parent = parent;
    this.#namedParent = findNamedParent(headers);
    // A new trace has the id in the answer's `x-gw-trace-id`, if that has the form of a trace id. So does the trace of a parent
    // that is specified next to it.
    const own = traceIdForm.test(exchange.traceId) ? exchange.traceId : undefined;
    const named = this.#namedParent === undefined ? undefined : own;
    this.#traceId = named ?? parent?.traceId ?? own ?? newTraceId();
    this.isSampled = parent?.sampled ?? sampler(this.#traceId);
    this.#spanId = this.isSampled ? (findNamedId(headers) ?? newSpanId()) : '';
  }

  /** The ids of the request's own span. */
  get place(): SpanPlace {
    return {
      traceId: this.#traceId,
      spanId: this.#spanId,
      parentId: this.#namedParent ?? this.#parent?.spanId ?? null,
      state: this.#parent?.state ?? null,
    };
  }

  toPlace({ spanId }: RunningAttempt): SpanPlace {
    return { traceId: this.#traceId, spanId, parentId: this.#spanId, state: this.#parent?.state ?? null };
  }

  /** Sends the ids of an attempt's span to its provider, and returns the span's id. It is empty if no span is kept. */
  announce(start: AttemptStart): string {
    const parent = this.#parent;
    const spanId = parent?.sampled === false ? '' : newSpanId();
    start.addHeader(
      'traceparent',
      // If the client does not trace the request, its header is forwarded unchanged.
      parent?.sampled === false
        ? parent.text
        : writeTraceParent({ traceId: this.#traceId, spanId, sampled: this.isSampled }),
    );
    if (parent?.state !== undefined) start.addHeader('tracestate', parent.state);
    return this.isSampled ? spanId : '';
  }

  /** The attempts that have not ended. */
  get attempts(): readonly RunningAttempt[] {
    return this.#attempts;
  }

  add(attempt: RunningAttempt): void {
    // Most requests have one attempt at a time.
    this.#attempts = this.#attempts.length === 0 ? [attempt] : [...this.#attempts, attempt];
  }

  /** Finds an attempt that has not ended. */
  running({ path, attempt }: Pick<AttemptStart, 'path' | 'attempt'>): RunningAttempt | undefined {
    return this.#attempts.find(({ start }) => start.attempt === attempt && start.path === path);
  }

  forget(attempt: RunningAttempt): void {
    this.#attempts = this.#attempts.length === 1 ? none : this.#attempts.filter((other) => other !== attempt);
  }
}
