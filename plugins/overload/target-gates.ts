import { type PlanNames, servedNames } from '../sdk/exchange/served-names.ts';
import type { PlaceRequest, TargetPlace, TargetStatus } from '../sdk/overload/overload.ts';
import type { Rank } from '../sdk/overload/priority-rank.ts';
import { type GateBounds, type GateServices, noPlace, TargetGate } from './target-gate.ts';

/** The maximum number of accounts that are remembered, because each caller may bring one. */
const maxAccounts = 1000;
/** The maximum number of targets that are listed. Others are listed together. */
const maxListed = 100;
const otherName = '(other)';

/** The counts that must not be lost. */
type Waits = Pick<TargetStatus, 'plan' | 'target' | 'waited' | 'waitedMs'>;

interface Named {
  readonly gate: TargetGate;
  readonly plan: string;
  readonly target: string;
}

const noneOpen = { limit: 0, open: 0, waiting: 0 };

const nameOf = ({ plan, target }: Pick<TargetStatus, 'plan' | 'target'>): string => `${plan} ${target}`;

const sum = (one: TargetStatus, other: TargetStatus): TargetStatus => ({
  plan: one.plan,
  target: one.target,
  limit: one.limit + other.limit,
  open: one.open + other.open,
  waiting: one.waiting + other.waiting,
  waited: one.waited + other.waited,
  waitedMs: one.waitedMs + other.waitedMs,
});

/** The gates of all targets. If there are too many, the idle one that was not called for the longest time is forgotten. */
export class TargetGates {
  readonly #bounds: GateBounds;
  readonly #services: GateServices;
  readonly #names: (plan: PlaceRequest['exchange']['plan']) => PlanNames = servedNames();
  readonly #gates = new Map<string, Named>();
  /** The waits at forgotten accounts, by name. */
  readonly #before = new Map<string, Waits>();

  constructor(bounds: GateBounds, services: GateServices) {
    this.#bounds = bounds;
    this.#services = services;
  }

  /** Whether any request is waiting. */
  get haveWaiting(): boolean {
    for (const { gate } of this.#gates.values()) if (gate.waiting > 0) return true;
    return false;
  }

  enter(request: PlaceRequest, rank: Rank): TargetPlace | Promise<TargetPlace> {
    const known = this.#gates.get(request.account) ?? this.#open(request);
    return known === undefined ? noPlace : known.gate.enter(request, rank);
  }

  /** Lists the targets by their names in the plans that first called their accounts. Accounts with the same names are merged. */
  list(): readonly TargetStatus[] {
    const listed = new Map<string, TargetStatus>();
    const add = (status: TargetStatus): void => {
      const name = nameOf(status);
      const isListed = listed.has(name) || listed.size < maxListed;
      const key = isListed ? name : otherName;
      const named = isListed ? status : { ...status, plan: otherName, target: otherName };
      const before = listed.get(key);
      listed.set(key, before === undefined ? named : sum(before, named));
    };
    for (const waits of this.#before.values()) add({ ...noneOpen, ...waits });
    for (const { gate, plan, target } of this.#gates.values()) add({ ...gate.status(), plan, target });
    return [...listed.values()];
  }

  #open({ account, exchange, target }: PlaceRequest): Named | undefined {
    if (this.#gates.size >= maxAccounts && !this.#forget()) return undefined;
    const names = this.#names(exchange.plan);
    const { plan } = names;
    const made = { gate: new TargetGate(this.#bounds, this.#services), plan, target: names.target(target).target };
    this.#gates.set(account, made);
    return made;
  }

  /** Forgets the idle account that was not called for the longest time. */
  #forget(): boolean {
    let oldest: readonly [account: string, named: Named] | undefined;
    for (const each of this.#gates)
      if (each[1].gate.isIdle && (oldest === undefined || each[1].gate.calledAt < oldest[1].gate.calledAt))
        oldest = each;
    if (oldest === undefined) return false;
    const [account, { gate, plan, target }] = oldest;
    const { waited, waitedMs } = gate.status();
    if (waited > 0) this.#keep({ plan, target, waited, waitedMs });
    return this.#gates.delete(account);
  }

  #keep(waits: Waits): void {
    const isKnown = this.#before.has(nameOf(waits)) || this.#before.size < maxListed;
    const { plan, target } = isKnown ? waits : { plan: otherName, target: otherName };
    const name = nameOf({ plan, target });
    const before = this.#before.get(name) ?? { waited: 0, waitedMs: 0 };
    this.#before.set(name, {
      ...{ plan, target, waited: before.waited + waits.waited },
      waitedMs: before.waitedMs + waits.waitedMs,
    });
  }
}
