import { gatewayError } from '../../schema/errors/errors.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import type { Clock } from '../sdk/clock.ts';
import type { Overload, OverloadStatus } from '../sdk/overload/overload.ts';
import { definePlugin, type Plugin } from '../sdk/plugin/plugin.ts';
import { AdmissionQueue } from './admission-queue.ts';
import type { ReadLoad } from './load-monitor.ts';
import { monitorLoad } from './load-monitor.ts';
import { rankReader } from './priority.ts';
import { retryAfter, type ShedCount, ShedCounts } from './refusal.ts';
import { Shedder } from './shedder.ts';
import { TargetGates } from './target-gates.ts';

export type OverloadSettings = NonNullable<GatewayFile['overload']>;

export interface OverloadOptions {
  readonly settings: OverloadSettings;
  readonly clock: Clock & { afterUnref?(ms: number, run: () => void): () => void };
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  /** Returns the used part of the memory for bodies, from 0 to 1. */
  readonly heldMemory: () => number;
  /** Reads the load of the process. If absent, from its event loop and its memory. */
  readonly readLoad?: ReadLoad;
  /** Calls `run` in the next turn of the event loop. `setImmediate` if absent. */
  readonly nextTurn?: (run: () => void) => void;
}

/** The overload protection of a gateway. It is closed by the hook `close` of its plugin. */
export interface OpenedOverload extends Overload {
  readonly plugin: Plugin;
  readonly status: () => OverloadStatus;
  readonly counts: () => readonly ShedCount[];
}

/** How often the load is measured, in milliseconds. */
const measureEveryMs = 200;
/** The earliest time after which a refused request may be sent again, in milliseconds. */
const shedForMs = 1000;
/** Requests are queued when the delay reaches this part of the delay at which they are refused. */
const queueing = 1 / 2;
/** How long requests continue to be queued after there was last a reason, in milliseconds. */
const queueForMs = 1000;
const mebibyte = 1024 * 1024;
/** The prefix of metadata members that set a priority. */
const metadataPrefix = 'metadata.';

export const openOverload = (options: OverloadOptions): OpenedOverload => {
  const { settings, clock, random, heldMemory, readLoad, nextTurn = setImmediate } = options;
  const {
    min_concurrency: min = 4,
    max_concurrency: max = 1000,
    initial_concurrency: initial = 20,
    queue_requests: size = 200,
    queue_bytes: bytes = 64 * mebibyte,
    queue_ms: waitMs = 2000,
    event_loop_ms: delayMs = 100,
    memory_percent: memoryPercent = 90,
    priority_from: priorityFrom,
  } = settings;
  const toRank = rankReader(priorityFrom?.slice(metadataPrefix.length));
  const counts = new ShedCounts();
  let ownDelayMs = 0;
  const gates = new TargetGates(
    { limit: { min, max, initial: Math.min(max, Math.max(min, initial)) }, line: { size, bytes }, waitMs },
    { clock, random, shed: (reason, rank) => counts.add(reason, rank), delayMs: () => ownDelayMs },
  );
  const shedder = new Shedder({ delayMs, memory: memoryPercent / 100 });
  const monitor = readLoad === undefined ? monitorLoad(heldMemory) : { read: readLoad, stop: () => {} };
  const after = (run: () => void): (() => void) =>
    clock.afterUnref?.(measureEveryMs, run) ?? clock.after(measureEveryMs, run);
  let measuredAt = clock.monotonic();
  const queue = new AdmissionQueue({ clock, waitMs, nextTurn });
  /** Until when requests are queued, on the monotonic clock. */
  let queuesUntil = Number.NEGATIVE_INFINITY;
  let stopTimer = (): void => {};
  const measure = (): void => {
    stopTimer();
    const ms = clock.monotonic() - measuredAt;
    const load = monitor.read();
    ownDelayMs = Math.max(load.delayMs, ms - measureEveryMs);
    const { all, high } = queue.waitedMs();
    const [lateMs, highLateMs] = [Math.max(ownDelayMs, all), Math.max(ownDelayMs, high)];
    shedder.measured({ ...load, delayMs: lateMs, highDelayMs: highLateMs }, ms);
    measuredAt += ms;
    if (lateMs >= delayMs * queueing) queuesUntil = measuredAt + queueForMs;
    stopTimer = after(measure);
  };
  stopTimer = after(measure);
  return {
    admit(exchange, done) {
      const now = clock.monotonic();
      // Among many requests that arrived at once, timers do not get a turn.
      if (now - measuredAt >= measureEveryMs + delayMs) measure();
      const queues = queue.length > 0 || now < queuesUntil;
      if (!shedder.isShedding && !queues) return done();
      const rank = toRank(exchange);
      const refuse = (): void => {
        counts.add(shedder.reason, rank);
        done(gatewayError('overloaded', {}, retryAfter(shedForMs, random)));
      };
      if (shedder.isShedding && !shedder.admits(rank, random())) refuse();
      else if (queues) queue.add(exchange, rank, (decision) => (decision === 'begin' ? done() : refuse()));
      else done();
    },
    enter: (request) => gates.enter(request, toRank(request.exchange)),
    isBusy: () => shedder.isShedding || queue.length > 0 || gates.haveWaiting,
    status: () => ({ admitted: Math.round((shedder.admitted / 3) * 1000) / 1000, targets: gates.list() }),
    counts: () => counts.list(),
    plugin: definePlugin({
      name: 'gatewright/overload',
      apply: (hooks) => {
        hooks.close.tap('gatewright/overload', () => {
          stopTimer();
          monitor.stop();
        });
      },
    }),
  };
};
