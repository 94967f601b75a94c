import { errorText } from '../../../../schema/text/error-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { CountersAvailability } from './counters-availability.ts';
import type { Limits } from './limits.ts';
import type { CountersPlace, RemoteCounters } from './remote-counters.ts';
import { RemoteLimits, type RemoteLimitsOptions } from './remote-limits.ts';

/** Queries the process that owns this worker and counts for it. */
export interface OwnedCountersAsker extends RemoteCounters {
  /** Resolves when the ledger has everything settled so far, or when writing it was tried. */
  posted(until: 'written' | 'tried'): Promise<void>;
}

export interface OwnedLimitsOptions<Entry> extends Pick<RemoteLimitsOptions<Entry>, 'writeEntry'> {
  readonly counters: OwnedCountersAsker;
  readonly clock: Clock;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
  /** How long to wait for a decision, in milliseconds. If the machine is slow, both processes are. */
  readonly commandMs?: number;
  /** The maximum number of settlements that are kept while the owner does not answer. */
  readonly maxUnsent?: number;
}

const place: CountersPlace = {
  name: 'the process that owns the workers, and counts for them,',
  advice: 'Start the gateway again if that lasts',
  describe: errorText,
};

/** Counts in the process that owns this worker. What a worker has sent is not lost as long as both processes run. */
export const openOwnedLimits = <Entry>({
  counters,
  clock,
  say,
  writeEntry,
  commandMs = 1000,
  maxUnsent = 100_000,
}: OwnedLimitsOptions<Entry>): Limits<Entry> =>
  new RemoteLimits<Entry>({
    ...{ decisions: counters, others: counters, place, clock, commandMs, maxUnsent, say, writeEntry },
    availability: new CountersAvailability({ clock, say, place, hasUpkeep: false }),
    posted: (until) => counters.posted(until),
  });
