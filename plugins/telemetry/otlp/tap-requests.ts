import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { TrailEventOf } from '../../../schema/trail/trail.ts';
import { lazyDialects } from '../../dialects/lazy-dialects.ts';
import type { Exchange, ServingPlan } from '../../sdk/exchange/exchange.ts';
import { servedNames } from '../../sdk/exchange/served-names.ts';
import type { AttemptStart } from '../../sdk/hooks/attempt-start.ts';
import type { Hooks } from '../../sdk/hooks/hooks.ts';
import { traceSampler } from '../../sdk/logs/trace-sampler.ts';
import { planModels } from '../plan-models.ts';
import { toEndpoint } from '../to-endpoint.ts';
import { type AttemptEnd, type AttemptOutcome, attemptRecord } from './records/attempt-record.ts';
import type { RecordBatches } from './records/record-batches.ts';
import type { EventRecord } from './records/records.ts';
import { requestRecord } from './records/request-record.ts';
import { RequestTrace, type RunningAttempt } from './records/request-trace.ts';

export interface TapOptions {
  readonly traces: boolean;
  readonly metrics: boolean;
  /** From 0 to 1, for requests whose client does not specify whether they are traced. */
  readonly sampleRatio: number;
  /** Returns milliseconds of the runtime's clock. */
  readonly now: () => number;
  readonly records: RecordBatches;
  /** Reports the models that a plan names to the thread. */
  readonly addModels: (names: readonly string[]) => void;
}

const name = 'gatewright/telemetry';

/** Returns the `error.type`: a status, or where the failure came from. Null for an attempt that did not fail. */
const errorType = ({ status, origin }: Pick<TrailEventOf<'attempted'>, 'status' | 'origin'>): string | null => {
  if (status < 400) return null;
  return origin === 'upstream' ? String(status) : origin;
};

/**
 * Reports the models of each plan once. Plans that come with requests are skipped, because callers may name any number of models.
 */
const modelReporter = ({ addModels }: TapOptions): ((plan: ServingPlan | undefined) => void) => {
  const reported = new WeakSet<RoutingPlan>();
  return (plan) => {
    if (plan === undefined || plan.isCallers === true || reported.has(plan.routing)) return;
    reported.add(plan.routing);
    const names = planModels(plan.routing);
    if (names.size > 0) addModels([...names]);
  };
};

/**
 * Sends span ids to providers, and writes a record of each attempt and of each request when it ends. Everything else is created
 * from the records, in a separate thread.
 */
export const tapRequests = (hooks: Hooks, options: TapOptions): void => {
  const { traces, metrics, sampleRatio, now, records } = options;
  const sampler = traceSampler(traces ? sampleRatio : 0);
  // By trail, because a plugin may pass on another exchange for the same request, with the same trail.
  const running = new WeakMap<Exchange['trail'], RequestTrace>();

  /** Returns the trace of a request, which is created when it is first needed. */
  const begun = (exchange: Exchange): RequestTrace => {
    const known = running.get(exchange.trail);
    if (known !== undefined) return known;
    const trace = new RequestTrace(exchange, exchange.startedAt ?? now(), sampler);
    running.set(exchange.trail, trace);
    return trace;
  };

  const write = (trace: RequestTrace, attempt: RunningAttempt, end: AttemptEnd): void => {
    const { settled, unread } = end.outcome;
    const isMeasured = metrics && (settled ?? unread) !== undefined;
    const hasSpan = attempt.spanId !== '' && !attempt.hasEndedSpan && records.takesSpan();
    attempt.hasEndedSpan = true;
    const place = hasSpan ? trace.toPlace(attempt) : null;
    if (hasSpan || isMeasured) records.add(attemptRecord(attempt, end, { place, isMeasured }));
  };

  /** Called when an attempt has ended. */
  const end = (exchange: Exchange, outcome: AttemptOutcome, ended: Pick<AttemptStart, 'path' | 'attempt'>): void => {
    const trace = running.get(exchange.trail);
    const attempt = trace?.running(ended);
    if (trace === undefined || attempt === undefined) return;
    write(trace, attempt, { at: now(), exchange, outcome });
    trace.forget(attempt);
    if ((trace.isOver || !traces) && trace.attempts.length === 0) running.delete(exchange.trail);
  };

  const reportModels = modelReporter(options);

  hooks.attempting.tap(name, (start, exchange) => {
    if (metrics) reportModels(exchange.plan);
    const trace = begun(exchange);
    const spanId = traces ? trace.announce(start) : '';
    if (spanId === '' && !metrics) return;
    const { operation } = exchange.route;
    trace.add({ start, operation, at: now(), spanId, status: null, error: null, hasEndedSpan: false });
  });

  hooks.attempted.tap(name, (event, { trail }) => {
    const attempt = running.get(trail)?.running(event);
    if (attempt === undefined) return;
    if (event.origin === 'upstream') attempt.status = event.status;
    attempt.error = errorType(event);
  });

  // Every attempt is measured, but only some have spans.
  if (!metrics) hooks.usageWanted.tap(name, (exchange) => begun(exchange).isSampled || undefined);

  hooks.usageRecorded.tap(name, (settled, exchange) => end(exchange, { settled }, settled));
  // The thread has the built-in dialects, and reads what is copied of their answers.
  for (const { id } of lazyDialects)
    hooks.deferredUsage.for(id).tap(name, (unread, exchange) => end(exchange, { unread }, unread));

  if (metrics) {
    const toNames = servedNames();
    hooks.overheadMeasured.tap(name, (ms, { plan, route }) =>
      records.add({ kind: 'overhead', plan: toNames(plan).plan, endpoint: toEndpoint(route), ms }),
    );
  }

  if (!traces) return;

  const note = (trail: Exchange['trail'], event: string, attributes: EventRecord['attributes']): void => {
    const trace = running.get(trail);
    if (trace?.isSampled === true) trace.events.push({ name: event, at: now(), attributes });
  };
  hooks.retried.tap(name, ({ path, retry, waitMs }, { trail }) =>
    note(trail, 'gatewright.retry', {
      'gatewright.path': path,
      'gatewright.retry': retry,
      'gatewright.wait_ms': waitMs,
    }),
  );
  hooks.fellBack.tap(name, ({ path, from, to, status }, { trail }) =>
    note(trail, 'gatewright.fallback', {
      'gatewright.path': path,
      'gatewright.from': from,
      'gatewright.to': to,
      'gatewright.status': status,
    }),
  );
  hooks.hedged.tap(name, ({ path, from, to, afterMs }, { trail }) =>
    note(trail, 'gatewright.hedge', {
      'gatewright.path': path,
      'gatewright.from': from,
      'gatewright.to': to,
      'gatewright.after_ms': afterMs,
    }),
  );
  hooks.hedgeEnded.tap(name, ({ path, result }, { trail }) =>
    note(trail, 'gatewright.hedge_end', { 'gatewright.path': path, 'gatewright.result': result }),
  );
  hooks.circuitChanged.tap(name, ({ path, of, from, to }, { trail }) =>
    note(trail, 'gatewright.circuit', {
      'gatewright.path': path,
      'gatewright.from': from,
      'gatewright.to': to,
      ...(of && { 'gatewright.circuit.of': of.kind }),
      ...(of?.model !== undefined && { 'gatewright.circuit.model': of.model }),
    }),
  );
  hooks.judged.tap(name, ({ path, phase, result }, exchange) => {
    // Results of background checks may arrive after the answer, when the trace has ended. All other checks come before the first
    // attempt.
    if (!result.async) begun(exchange);
    for (const { id, verdict, error } of result.checks)
      note(exchange.trail, 'gatewright.verdict', {
        'gatewright.path': path,
        'gatewright.phase': phase,
        'gatewright.check': id,
        'gatewright.verdict': error === undefined ? verdict : 'error',
      });
  });

  hooks.completed.tap(name, (response, exchange) => {
    const trace = begun(exchange);
    // A whole answer has ended as soon as it is ready to be sent.
    const answeredAt = response.body.kind === 'bytes' ? exchange.labels?.answeredAt : undefined;
    const at = answeredAt ?? now();
    trace.isOver = true;
    if (trace.isSampled) {
      const { mirrorOf } = exchange;
      if (mirrorOf !== undefined)
        note(exchange.trail, 'gatewright.mirror', {
          'gatewright.path': mirrorOf.path,
          'gatewright.mirror_of': mirrorOf.traceId,
        });
      // Nothing more may be reported of these.
      for (const attempt of trace.attempts) write(trace, attempt, { at, exchange, outcome: {} });
      if (records.takesSpan()) records.add(requestRecord(trace, { at, exchange, response }));
    }
    // Attempts that end later are measured then.
    if (!metrics || trace.attempts.length === 0) running.delete(exchange.trail);
  });
};
