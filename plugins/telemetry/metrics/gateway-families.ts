import { performance } from 'node:perf_hooks';
import { type SinkStatus, type StorePart, storeParts } from '../../sdk/control-plane/store-status.ts';
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
  /** Returns the parts of the store that this process cannot use. Absent without a store. */
  readonly unavailableParts?: () => ReadonlySet<StorePart>;
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
    help: 'Lines of the log that were dropped because nobody read them or they could not be written.',
    read: facts.droppedRecords,
  });
  families.total({
    name: 'event_loop_busy_seconds_total',
    help: 'Seconds for which the serving threads were busy, summed over all workers. At one per second and worker, they are saturated.',
    read: () => performance.eventLoopUtilization().active / 1000,
  });
  families.gauge({
    name: 'serving_processes',
    help: 'Processes that serve requests: 1, or the number of workers. The metrics of workers are summed.',
    read: () => 1,
  });
  families.totals({
    name: 'log_sink_records_total',
    help: 'Records of the log that a sink accepted (delivered) or did not: dropped because too many waited, refused by it, or expired.',
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
  const { alerts, unavailableParts } = facts;
  if (unavailableParts !== undefined)
    families.gauges({
      name: 'store_parts_unavailable',
      help: 'Processes that cannot use a part of the store: the store itself (store), writing it (writes), its ledger, the counters of limits, or the log of requests. 0 if all can.',
      labels: ['part'],
      read: () => {
        const unavailable = unavailableParts();
        return storeParts.map((part) => ({ values: [part], value: unavailable.has(part) ? 1 : 0 }));
      },
    });
  if (alerts !== undefined)
    families.totals({
      name: 'alerts_total',
      help: 'Messages to the receivers of alerts: delivered, refused by the receiver, expired because they were too old, or dropped because there was no room.',
      labels: ['receiver', 'result'],
      read: () => alertSeries(alerts()),
    });
  if (facts.overload !== undefined) overloadFamilies(families, facts.overload);
  const refused = lastRefused();
  families.gauges({
    name: 'refused_keys_recent',
    help: 'Requests whose service keys were refused, by the last addresses and key ids. IPv6 addresses are shown as 64-bit networks.',
    labels: ['address', 'key_id'],
    read: refused.read,
  });
  return {
    requests: families.counter({
      name: 'requests_total',
      help: 'Requests that were answered. The cause is the code of an error of the gateway, or the origin of any other error.',
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
      help: 'Seconds from the head of a request until its answer, or for a stream its first content, was ready to be sent.',
      labels: ['plan', 'endpoint'],
      buckets: durationBuckets,
    }),
    overheads: families.histogram({
      name: 'overhead_seconds',
      help: 'Seconds that the gateway itself took until an answer, or for a stream its first content, was ready to be sent, excluding waits for providers, for services called by checks, between retries, and for the body of the request.',
      labels: ['plan', 'endpoint'],
      buckets: overheadBuckets,
    }),
    attempts: families.counter({
      name: 'attempts_total',
      help: 'Calls to providers. The origin says whether the provider answered (upstream), or why it did not.',
      labels: ['plan', 'target', 'provider', 'status', 'origin'],
    }),
    keyAttempts: families.counter({
      name: 'key_attempts_total',
      help: 'Calls to providers with several keys, by the index of the key. If a call was not served, the result says what is wrong with the key, or that something else failed (failed).',
      labels: ['plan', 'target', 'key', 'result'],
    }),
    refusedCredentials: families.counter({
      name: 'credential_refusals_total',
      help: 'Attempts with a credential of the gateway that the provider rejected (refused), or that is out of credit (spent).',
      labels: ['plan', 'target', 'provider', 'result'],
    }),
    tokens: families.counter({
      name: 'tokens_total',
      help: 'Tokens that attempts used. Each token has one sort: input and output are those of no other sort.',
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
      help: 'Number of times that a fallback continued with its next target.',
      labels: ['plan', 'group'],
    }),
    hedges: families.counter({
      name: 'hedges_total',
      help: 'Number of times that a fallback called its next target while the first was slow: won, lost, or refused because of its budget or a limit.',
      labels: ['plan', 'group', 'result'],
    }),
    circuits: families.counter({
      name: 'circuit_changes_total',
      help: 'State changes of the circuits of targets, by the kind of circuit and its new state.',
      labels: ['plan', 'target', 'circuit', 'state'],
    }),
    probes: families.counter({
      name: 'probes_total',
      help: 'Number of times that a target was probed: up, which closes its circuit, or down.',
      labels: ['plan', 'target', 'result'],
    }),
    caches: families.counter({
      name: 'cache_results_total',
      help: 'Results of cache look-ups for answered requests, by target.',
      labels: ['plan', 'target', 'result'],
    }),
    verdicts: families.counter({
      name: 'check_verdicts_total',
      help: 'Verdicts of the checks of guardrails: pass, fail, or error if a check could not judge.',
      labels: ['check', 'phase', 'verdict'],
    }),
    mirrors: families.counter({
      name: 'mirrors_total',
      help: 'Copies of requests that mirrors made: answered, failed, refused by a limit, or dropped because too many were in progress.',
      labels: ['plan', 'target', 'result'],
    }),
    streamFailures: families.counter({
      name: 'stream_failures_total',
      help: 'Streams that failed after they had started.',
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
