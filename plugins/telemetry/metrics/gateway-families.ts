import { performance } from 'node:perf_hooks';
import type { SinkStatus } from '../../sdk/control-plane/store-status.ts';
import { overheadBuckets } from '../overhead-buckets.ts';
import type { Buckets } from './buckets.ts';
import type { Count, Families } from './families.ts';
import { type LastRefused, lastRefused } from './last-refused.ts';
import { type OverloadFacts, overloadFamilies } from './overload-families.ts';
import type { Labelled } from './series.ts';

/** The facts about the process that the gateway reports in addition to its hooks. */
export interface ProcessFacts {
  /** Returns the number of requests whose answers have not ended. */
  readonly inFlight: () => number;
  /** Returns the number of log lines that were dropped because nothing read them. */
  readonly droppedRecords: () => number;
  /** Returns the status of the log sinks. */
  readonly sinks: () => readonly SinkStatus[];
  /** Returns the messages for each alert receiver by outcome. Absent if there are no alerts. */
  readonly alerts?: () => readonly AlertCounts[];
  /** The status of the overload protection. Absent if there is none. */
  readonly overload?: OverloadFacts;
}

/** The messages for one alert receiver. */
interface AlertCounts extends Readonly<Record<(typeof alertResults)[number], number>> {
  /** The kind of receiver. */
  readonly to: string;
}

const alertResults = ['delivered', 'refused', 'expired', 'dropped'] as const;

/** Returns the counts by kind of receiver and result. Receivers of the same kind are merged. */
const alertSeries = (
  receivers: readonly AlertCounts[],
): readonly { readonly values: readonly string[]; readonly value: number }[] =>
  [...Map.groupBy(receivers, ({ to }) => to)].flatMap(([to, ofKind]) =>
    alertResults.map((result) => ({
      values: [to, result],
      value: ofKind.reduce((sum, counts) => sum + counts[result], 0),
    })),
  );

/** The metrics of a gateway. */
export interface GatewayFamilies {
  readonly requests: Labelled<Count, ['plan', 'endpoint', 'status', 'cause']>;
  readonly durations: Labelled<Buckets, ['plan', 'endpoint']>;
  readonly firstBytes: Labelled<Buckets, ['plan', 'endpoint']>;
  readonly overheads: Labelled<Buckets, ['plan', 'endpoint']>;
  readonly attempts: Labelled<Count, ['plan', 'target', 'provider', 'status', 'origin']>;
  readonly keyAttempts: Labelled<Count, ['plan', 'target', 'key', 'result']>;
  readonly refusedCredentials: Labelled<Count, ['plan', 'target', 'provider', 'result']>;
  readonly tokens: Labelled<Count, ['plan', 'target', 'provider', 'sort']>;
  readonly costs: Labelled<Count, ['plan', 'target', 'provider']>;
  readonly retries: Labelled<Count, ['plan', 'target']>;
  readonly fallbacks: Labelled<Count, ['plan', 'group']>;
  readonly hedges: Labelled<Count, ['plan', 'group', 'result']>;
  readonly probes: Labelled<Count, ['plan', 'target', 'result']>;
  readonly circuits: Labelled<Count, ['plan', 'target', 'circuit', 'state']>;
  readonly caches: Labelled<Count, ['plan', 'target', 'result']>;
  readonly verdicts: Labelled<Count, ['check', 'phase', 'verdict']>;
  readonly mirrors: Labelled<Count, ['plan', 'target', 'result']>;
  readonly streamFailures: Labelled<Count, ['plan', 'target', 'cause']>;
  readonly refusedKeys: Labelled<Count, []>;
  readonly lastRefused: LastRefused;
}

const sinkResults = ['delivered', 'dropped', 'refused', 'expired'] as const;

/** In seconds: from an answer from a cache to the longest reasoning. */
const durationBuckets: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600,
];

export const gatewayFamilies = (families: Families, facts: ProcessFacts): GatewayFamilies => {
  families.gauge({
    name: 'requests_in_flight',
    help: 'Requests whose responses have not ended yet.',
    read: facts.inFlight,
  });
  families.total({
    name: 'log_records_dropped_total',
    help: 'Log lines that were dropped because nothing read them, or because they could not be written.',
    read: facts.droppedRecords,
  });
  families.total({
    name: 'event_loop_busy_seconds_total',
    help: 'Seconds in which the thread that serves requests was busy, summed over all workers. At one second per second a worker cannot serve more.',
    read: () => performance.eventLoopUtilization().active / 1000,
  });
  families.gauge({
    name: 'serving_processes',
    help: 'Processes that serve requests: 1, or the number of workers. The metrics of workers are summed.',
    read: () => 1,
  });
  families.totals({
    name: 'log_sink_records_total',
    help: 'Log records that a sink accepted (delivered) or did not: dropped because too many were waiting, refused by the sink, or expired.',
    labels: ['sink', 'result'],
    read: () =>
      facts
        .sinks()
        .flatMap((sink) => sinkResults.map((result) => ({ values: [sink.name, result], value: sink[result] }))),
  });
  families.gauges({
    name: 'log_sink_records_waiting',
    help: 'Log records that are waiting for a sink.',
    labels: ['sink'],
    read: () => facts.sinks().map(({ name, waiting }) => ({ values: [name], value: waiting })),
  });
  const { alerts } = facts;
  if (alerts !== undefined)
    families.totals({
      name: 'alerts_total',
      help: 'Messages to the receivers of alerts: delivered, refused by the receiver, expired because they were too old, or dropped for want of room.',
      labels: ['receiver', 'result'],
      read: () => alertSeries(alerts()),
    });
  if (facts.overload !== undefined) overloadFamilies(families, facts.overload);
  const refused = lastRefused();
  families.gauges({
    name: 'refused_keys_recent',
    help: 'Requests whose service keys were refused, for the most recent addresses and key ids. An IPv6 address stands for its /64 network.',
    labels: ['address', 'key_id'],
    read: refused.read,
  });
  return {
    requests: families.counter({
      name: 'requests_total',
      help: 'Requests that got a response. The cause is the code of an error of the gateway, or the origin of any other error.',
      labels: ['plan', 'endpoint', 'status', 'cause'],
    }),
    durations: families.histogram({
      name: 'request_duration_seconds',
      help: 'Seconds from the headers of a request to the end of its response.',
      labels: ['plan', 'endpoint'],
      buckets: durationBuckets,
    }),
    firstBytes: families.histogram({
      name: 'time_to_first_byte_seconds',
      help: 'Seconds from the headers of a request until its response, or the first content of a stream, was ready to be sent.',
      labels: ['plan', 'endpoint'],
      buckets: durationBuckets,
    }),
    overheads: families.histogram({
      name: 'overhead_seconds',
      help: 'Seconds that the gateway itself took until a response, or the first content of a stream, was ready to be sent, without the waits for providers, for services that checks call, between retries and for the request body.',
      labels: ['plan', 'endpoint'],
      buckets: overheadBuckets,
    }),
    attempts: families.counter({
      name: 'attempts_total',
      help: 'Calls to providers. The origin says whether the provider responded (upstream), or why it did not.',
      labels: ['plan', 'target', 'provider', 'status', 'origin'],
    }),
    keyAttempts: families.counter({
      name: 'key_attempts_total',
      help: 'Calls to providers with several keys, by the place of the key. For calls that were not served, the result says what is wrong with the key, or that something else failed (failed).',
      labels: ['plan', 'target', 'key', 'result'],
    }),
    refusedCredentials: families.counter({
      name: 'credential_refusals_total',
      help: 'Attempts with a credential of the gateway that the provider does not accept (refused), or that has nothing left to spend (spent).',
      labels: ['plan', 'target', 'provider', 'result'],
    }),
    tokens: families.counter({
      name: 'tokens_total',
      help: 'Tokens that attempts used. Each token is counted under one sort only: input and output are those of no other sort.',
      labels: ['plan', 'target', 'provider', 'sort'],
    }),
    costs: families.counter({
      name: 'cost_usd_total',
      help: 'The cost of attempts in US dollars, if prices are known.',
      labels: ['plan', 'target', 'provider'],
    }),
    retries: families.counter({
      name: 'retries_total',
      help: 'Attempts that were retried at the same target.',
      labels: ['plan', 'target'],
    }),
    fallbacks: families.counter({
      name: 'fallbacks_total',
      help: 'How many times a fallback went on to its next target.',
      labels: ['plan', 'group'],
    }),
    hedges: families.counter({
      name: 'hedges_total',
      help: 'How many times a fallback called its next target because the first was slow: won, lost, or refused by its budget or a limit.',
      labels: ['plan', 'group', 'result'],
    }),
    circuits: families.counter({
      name: 'circuit_changes_total',
      help: "State changes of targets' circuits, by what the circuit is for and by the new state.",
      labels: ['plan', 'target', 'circuit', 'state'],
    }),
    probes: families.counter({
      name: 'probes_total',
      help: 'Probes of targets with an open circuit: up, which closes the circuit, or down.',
      labels: ['plan', 'target', 'result'],
    }),
    caches: families.counter({
      name: 'cache_results_total',
      help: 'What the cache of a target did for the requests that it answered.',
      labels: ['plan', 'target', 'result'],
    }),
    verdicts: families.counter({
      name: 'check_verdicts_total',
      help: 'Verdicts of guardrail checks: pass, fail, or error if a check could not judge.',
      labels: ['check', 'phase', 'verdict'],
    }),
    mirrors: families.counter({
      name: 'mirrors_total',
      help: 'Copies of requests that mirrors made: answered, failed, refused by a limit, or dropped because too many were in progress.',
      labels: ['plan', 'target', 'result'],
    }),
    streamFailures: families.counter({
      name: 'stream_failures_total',
      help: 'Streams that failed after they had begun.',
      labels: ['plan', 'target', 'cause'],
    }),
    refusedKeys: families.counter({
      name: 'refused_keys_total',
      help: 'Requests whose service keys were refused.',
      labels: [],
    }),
    lastRefused: refused,
  };
};
