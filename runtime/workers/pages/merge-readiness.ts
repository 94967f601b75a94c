import type { ReadyFacts } from '../../pages/ready-facts.ts';

/** The state of all, as `/readyz` shows it. */
export interface WorkersStatus {
  readonly wanted: number;
  readonly serving: number;
  /** How many have ended that were not meant to. */
  readonly crashed: number;
  /** Why fewer serve than are wanted; absent where all do. */
  readonly reason?: string;
}

/** The page of one worker by itself. */
export interface WorkerReadiness {
  readonly facts: ReadyFacts;
  /** By how much the numbers of its generations are lower than those of the gateway. */
  readonly behind: number;
}

export interface MergeOptions {
  readonly workers: WorkersStatus;
  /** Why the plans on disk are not served, though each worker could be asked. */
  readonly reason?: string | undefined;
  /** Changes that want a restart, as the owner knows them. */
  readonly restart: readonly string[];
  readonly isDraining: boolean;
  /** How the receivers of alerts do, which are the owner's. */
  readonly alerts?: ReadyFacts['alerts'] | undefined;
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

/** The one page of all workers: as good as the worst of them. The first is the one that answers. */
export const mergeReadiness = (
  all: readonly [WorkerReadiness, ...(readonly WorkerReadiness[])],
  { workers, reason, restart, isDraining, alerts }: MergeOptions,
): ReadyFacts & { readonly workers: WorkersStatus } => {
  const [{ facts: own, behind }] = all;
  const facts = all.map((each) => each.facts);
  const found = facts.find((each) => each.reason !== undefined)?.reason ?? reason ?? workers.reason;
  const restarts = distinct([...restart, ...facts.flatMap((each) => each.restart)]);
  const known = worstOf(facts.map(({ status }) => status));
  const isDegraded = known === 'ready' && (found !== undefined || restarts.length > 0);
  const { store } = facts.find((each) => each.store?.status === 'away') ?? own;
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
