import type { OwnerStatus } from '../../../plugins/sdk/control-plane/control-link.ts';
import type { ReadyFacts } from '../../status-pages/ready-facts.ts';
import { ledgerReason, type ShownStore, shownSink } from '../../status-pages/store-status.ts';

/** The state of all workers, as `/readyz` shows it. */
export interface WorkersStatus {
  readonly wanted: number;
  readonly serving: number;
  /** How many workers have ended unexpectedly. */
  readonly crashed: number;
  /** Why fewer workers serve than configured. Absent if all do. */
  readonly reason?: string;
}

/** The page of a single worker. */
export interface WorkerReadiness {
  readonly facts: ReadyFacts;
  /** By how much its generation numbers are lower than those of the gateway. */
  readonly behind: number;
}

export interface MergeOptions {
  readonly workers: WorkersStatus;
  /** Why the plans on disk are not served, although each worker could be called. */
  readonly reason?: string | undefined;
  /** Changes that require a restart, as far as the owner knows them. */
  readonly restart: readonly string[];
  readonly isDraining: boolean;
  /** The status of the receivers of alerts, which the owner has. */
  readonly alerts?: ReadyFacts['alerts'] | undefined;
  readonly owned?: OwnerStatus | undefined;
}

const worst = ['ready', 'degraded', 'not-ready'] as const;

const worstOf = (statuses: readonly ReadyFacts['status'][]): ReadyFacts['status'] =>
  worst.findLast((status) => statuses.includes(status)) ?? 'not-ready';

const distinct = <Value>(values: readonly Value[]): readonly Value[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

const sumClosing = (all: readonly WorkerReadiness[]): ReadyFacts['closing'] => {
  const running = new Map<number, number>();
  for (const { facts, behind } of all)
    for (const { generation, running: more } of facts.closing)
      running.set(generation + behind, (running.get(generation + behind) ?? 0) + more);
  return Array.from(running, ([generation, count]) => ({ generation, running: count })).sort(
    (a, b) => a.generation - b.generation,
  );
};

/** Returns the store's status for all workers: unavailable if it is for one of them, and with what the logs of all have lost. */
const mergeStores = (facts: readonly ReadyFacts[], { sinks, ledgerFailure }: OwnerStatus): ShownStore | undefined => {
  const stores = facts.flatMap((each) => each.store ?? []);
  const first = stores.find(({ status }) => status === 'away') ?? stores[0];
  if (first === undefined) return undefined;
  const store = { ...first, ...(ledgerFailure === undefined ? {} : { ledger_failure: ledgerFailure }) };
  if (store.log === undefined) return store;
  const logs = stores.flatMap((each) => each.log ?? []);
  const sum = (name: 'waiting' | 'dropped'): number => logs.reduce((total, log) => total + log[name], 0);
  return {
    ...store,
    log: {
      status: logs.some(({ status }) => status === 'away') ? 'away' : 'ready',
      ...{ waiting: sum('waiting'), dropped: sum('dropped') },
      ...(sinks.length === 0 ? {} : { sinks: sinks.map(shownSink) }),
    },
  };
};

/** Returns the single page of all workers: as good as the worst of them. The first worker is the one that answers. */
export const mergeReadiness = (
  all: readonly [WorkerReadiness, ...(readonly WorkerReadiness[])],
  { workers, reason, restart, isDraining, alerts, owned = { sinks: [] } }: MergeOptions,
): ReadyFacts & { readonly workers: WorkersStatus } => {
  const [{ facts: own, behind }] = all;
  const facts = all.map((each) => each.facts);
  const found =
    facts.find((each) => each.reason !== undefined)?.reason ??
    (owned.ledgerFailure === undefined ? undefined : ledgerReason(owned.ledgerFailure)) ??
    reason ??
    workers.reason;
  const restarts = distinct([...restart, ...facts.flatMap((each) => each.restart)]);
  const known = worstOf(facts.map(({ status }) => status));
  const isDegraded = known === 'ready' && (found !== undefined || restarts.length > 0);
  const store = mergeStores(facts, owned);
  const status = isDegraded ? 'degraded' : known;
  const { reason: _, store: __, ...rest } = own;
  return {
    ...rest,
    status: isDraining ? 'draining' : status,
    ...(found === undefined ? {} : { reason: found }),
    generation: own.generation + behind,
    refused: distinct(facts.flatMap((each) => each.refused)),
    restart: restarts,
    closing: sumClosing(all),
    ...(store === undefined ? {} : { store }),
    ...(alerts === undefined ? {} : { alerts }),
    workers,
  };
};
