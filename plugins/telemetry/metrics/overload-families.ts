import type { OverloadStatus, TargetStatus } from '../../sdk/overload/overload.ts';
import type { Families } from './families.ts';

/** The protection of a gateway against overload. */
export interface OverloadFacts {
  readonly status: () => OverloadStatus;
  /** Returns how many requests were refused. */
  readonly counts: () => readonly { readonly reason: string; readonly priority: string; readonly count: number }[];
}

const labels = ['plan', 'target'];

export const overloadFamilies = (families: Families, { status, counts }: OverloadFacts): void => {
  const ofTargets = (read: (target: TargetStatus) => number) => () =>
    status().targets.map((each) => ({ values: [each.plan, each.target], value: read(each) }));
  families.totals({
    name: 'shed_total',
    help: 'Requests and copies that were refused because there was no room: by the process (event-loop, memory) or before a target at its limit (queue-full, queue-time, displaced, expired, failing, mirror).',
    labels: ['reason', 'priority'],
    read: () => counts().map(({ reason, priority, count }) => ({ values: [reason, priority], value: count })),
  });
  families.gauge({
    name: 'admitted_ratio',
    help: 'The share of the requests of all priorities that is admitted: 1 is all, and below 1 the lowest priority is refused first.',
    read: () => status().admitted,
  });
  families.gauges({
    name: 'target_concurrency_limit',
    help: 'How many attempts may be open at a target.',
    labels,
    read: ofTargets(({ limit }) => limit),
  });
  families.gauges({
    name: 'target_attempts_open',
    help: 'Attempts that are open at a target.',
    labels,
    read: ofTargets(({ open }) => open),
  });
  families.gauges({
    name: 'target_queue_length',
    help: 'Requests that are waiting for a place at a target.',
    labels,
    read: ofTargets(({ waiting }) => waiting),
  });
  families.totals({
    name: 'target_queued_total',
    help: 'Requests that waited for a place at a target and got one.',
    labels,
    read: ofTargets(({ waited }) => waited),
  });
  families.totals({
    name: 'target_queue_seconds_total',
    help: 'Total seconds that these requests waited.',
    labels,
    read: ofTargets(({ waitedMs }) => waitedMs / 1000),
  });
};
