import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import type { AttemptStart } from '../../sdk/attempt-start.ts';
import type { Exchange } from '../../sdk/exchange.ts';
import type { GatewayResponse } from '../../sdk/http.ts';
import { endpointOf } from '../endpoint-of.ts';
import { destinationFacts, longestModel } from './attempt-facts.ts';
import type { OwnIds } from './own-ids.ts';
import type { Packages } from './packages.ts';
import { type TraceParent, traceParentOf } from './trace-parent.ts';

export interface Tracing {
  readonly api: Packages['api'];
  readonly tracer: Tracer;
  readonly ids: OwnIds;
  /** Milliseconds since the epoch of a moment of the runtime's clock. */
  readonly epochMs: (at: number) => number;
  readonly now: () => number;
}

const parentContext = ({ api }: Tracing, parent: TraceParent | undefined): Context => {
  if (parent === undefined) return api.ROOT_CONTEXT;
  const { traceId, spanId, sampled, state } = parent;
  return api.trace.setSpanContext(api.ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: sampled ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE,
    isRemote: true,
    ...(state === undefined ? {} : { traceState: api.createTraceState(state) }),
  });
};

const methodAndPath = ({ request: { method, path } }: Exchange): Attributes => ({
  'http.request.method': method,
  'url.path': path.split('?', 1)[0] ?? path,
});

/** The spans of one request: one of its own, and one of each attempt. */
export class RequestTrace {
  readonly parent: TraceParent | undefined;
  readonly #tracing: Tracing;
  readonly #span: Span;
  readonly #context: Context;
  readonly #attempts = new Map<string, Span>();

  constructor(
    tracing: Tracing,
    exchange: Exchange,
    parent: TraceParent | undefined = traceParentOf(exchange.request.headers),
  ) {
    const { api, tracer, epochMs, now, ids } = tracing;
    this.#tracing = tracing;
    this.parent = parent;
    const endpoint = endpointOf(exchange.route);
    ids.next = exchange.traceId;
    this.#span = tracer.startSpan(
      `${exchange.request.method} ${endpoint}`,
      {
        kind: api.SpanKind.SERVER,
        startTime: epochMs(exchange.startedAt ?? now()),
        attributes: {
          ...methodAndPath(exchange),
          'gatewright.endpoint': endpoint,
          'gatewright.trace_id': exchange.traceId,
        },
      },
      parentContext(tracing, parent),
    );
    ids.next = undefined;
    this.#context = api.trace.setSpan(api.ROOT_CONTEXT, this.#span);
  }

  /** Whether its spans are kept. */
  get isRecording(): boolean {
    return this.#span.isRecording();
  }

  /** Begins the span of an attempt. */
  attempt(start: AttemptStart, exchange: Exchange): Span {
    const { api, tracer, epochMs, now } = this.#tracing;
    const facts = destinationFacts(start, exchange);
    const { path, target, attempt } = start;
    // Whatever text a client puts there.
    const model = start.model?.slice(0, longestModel);
    const name = facts['gen_ai.operation.name'];
    const span = tracer.startSpan(
      model === undefined || model === '' ? String(name) : `${name} ${model}`,
      {
        kind: api.SpanKind.CLIENT,
        startTime: epochMs(now()),
        attributes: {
          ...facts,
          ...(model === undefined || model === '' ? {} : { 'gen_ai.request.model': model }),
          'gatewright.target': target,
          'gatewright.path': path,
          'gatewright.attempt': attempt,
        },
      },
      this.#context,
    );
    this.#attempts.set(`${path} ${attempt}`, span);
    return span;
  }

  /** The span of an attempt that has not ended. */
  running({ path, attempt }: Pick<AttemptStart, 'path' | 'attempt'>): Span | undefined {
    return this.#attempts.get(`${path} ${attempt}`);
  }

  endAttempt({ path, attempt }: Pick<AttemptStart, 'path' | 'attempt'>): void {
    const key = `${path} ${attempt}`;
    const { epochMs, now } = this.#tracing;
    this.#attempts.get(key)?.end(epochMs(now()));
    this.#attempts.delete(key);
  }

  event(name: string, attributes: Attributes): void {
    const { epochMs, now } = this.#tracing;
    this.#span.addEvent(name, attributes, epochMs(now()));
  }

  /** Ends its span, and those of attempts of which nothing more was told. */
  end({ status, cause, leaf }: GatewayResponse, { plan }: Exchange): void {
    const { api, epochMs, now } = this.#tracing;
    const at = epochMs(now());
    for (const span of this.#attempts.values()) span.end(at);
    this.#attempts.clear();
    const span = this.#span;
    span.setAttribute('http.response.status_code', status);
    if (plan !== undefined) span.setAttribute('gatewright.plan', plan.label);
    if (leaf !== undefined) span.setAttribute('gatewright.cache.status', leaf.cache);
    if (cause !== undefined || status >= 500) span.setAttribute('error.type', cause ?? String(status));
    // What a client did wrong is no error of the server.
    if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
    span.end(at);
  }
}
