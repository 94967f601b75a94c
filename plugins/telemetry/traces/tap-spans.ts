import type { Exchange } from '../../sdk/exchange.ts';
import type { Hooks } from '../../sdk/hooks.ts';
import { errorType, usageFacts } from './attempt-facts.ts';
import { RequestTrace, type Tracing } from './request-trace.ts';
import { type TraceParent, traceParentOf, writeTraceParent } from './trace-parent.ts';

const name = 'gatewright/traces';

/** Makes spans of what the hooks tell, and names them to providers. */
export const tapSpans = (hooks: Hooks, tracing: Tracing): void => {
  const { api } = tracing;
  // By the trail: a plugin may pass on another exchange for the same request, with the same trail.
  const traces = new WeakMap<Exchange['trail'], RequestTrace>();

  /** The trace of a request, begun when it is first needed; its parent alone if the client says that it is not traced. */
  const begun = (exchange: Exchange): RequestTrace | TraceParent => {
    const known = traces.get(exchange.trail);
    if (known !== undefined) return known;
    const parent = traceParentOf(exchange.request.headers);
    if (parent?.sampled === false) return parent;
    const trace = new RequestTrace(tracing, exchange, parent);
    traces.set(exchange.trail, trace);
    return trace;
  };

  hooks.settles.tap(name, (exchange) => {
    const trace = begun(exchange);
    return trace instanceof RequestTrace && trace.isRecording ? true : undefined;
  });

  hooks.attempting.tap(name, (start, exchange) => {
    const trace = begun(exchange);
    const { state } = trace instanceof RequestTrace ? (trace.parent ?? {}) : trace;
    if (!(trace instanceof RequestTrace)) {
      start.addHeader('traceparent', trace.text);
      if (state !== undefined) start.addHeader('tracestate', state);
      return;
    }
    const span = trace.attempt(start, exchange);
    start.addHeader('traceparent', writeTraceParent(span.spanContext()));
    if (state !== undefined) start.addHeader('tracestate', state);
  });

  hooks.attempted.tap(name, ({ path, attempt, status, origin }, { trail }) => {
    const span = traces.get(trail)?.running({ path, attempt });
    if (span === undefined) return;
    if (origin === 'upstream') span.setAttribute('http.response.status_code', status);
    const error = errorType({ status, origin });
    if (error === undefined) return;
    span.setAttribute('error.type', error);
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  });

  hooks.settled.tap(name, ({ path, attempt, usage, finishReasons }, { trail }) => {
    const trace = traces.get(trail);
    const span = trace?.running({ path, attempt });
    if (trace === undefined || span === undefined) return;
    if (span.isRecording()) {
      span.setAttributes(usageFacts(usage));
      if (finishReasons !== undefined) span.setAttribute('gen_ai.response.finish_reasons', [...finishReasons]);
    }
    const failure = trail.findLast((event) => event.kind === 'streamFailed');
    if (failure?.path === path) {
      span.setAttribute('error.type', failure.cause);
      span.setStatus({ code: api.SpanStatusCode.ERROR });
    }
    trace.endAttempt({ path, attempt });
  });

  hooks.retried.tap(name, ({ path, retry, waitMs }, { trail }) => {
    traces.get(trail)?.event('gatewright.retry', {
      'gatewright.path': path,
      'gatewright.retry': retry,
      'gatewright.wait_ms': waitMs,
    });
  });
  hooks.fellBack.tap(name, ({ path, from, to, status }, { trail }) => {
    traces.get(trail)?.event('gatewright.fallback', {
      'gatewright.path': path,
      'gatewright.from': from,
      'gatewright.to': to,
      'gatewright.status': status,
    });
  });
  hooks.circuitChanged.tap(name, ({ path, from, to }, { trail }) => {
    traces.get(trail)?.event('gatewright.circuit', {
      'gatewright.path': path,
      'gatewright.from': from,
      'gatewright.to': to,
    });
  });
  hooks.judged.tap(name, ({ path, phase, result }, exchange) => {
    // What came in the background may be after the answer, whose trace has ended. Other checks come before the first attempt.
    const trace = result.async ? traces.get(exchange.trail) : begun(exchange);
    if (!(trace instanceof RequestTrace)) return;
    for (const { id, verdict, error } of result.checks)
      trace.event('gatewright.verdict', {
        'gatewright.path': path,
        'gatewright.phase': phase,
        'gatewright.check': id,
        'gatewright.verdict': error === undefined ? verdict : 'error',
      });
  });

  hooks.completed.tap(name, (response, exchange) => {
    const trace = begun(exchange);
    if (!(trace instanceof RequestTrace)) return;
    traces.delete(exchange.trail);
    trace.end(response, exchange);
  });
};
