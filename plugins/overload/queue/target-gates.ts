import { type PlanNames, servedNames } from '../../sdk/exchange/served-names.ts';
import type { PlaceRequest, TargetPlace } from '../../sdk/overload/overload.ts';
import type { Rank } from '../../sdk/overload/priority-rank.ts';
import { type GateBounds, type GateServices, type GateStatus, TargetGate } from './target-gate.ts';

/** The most accounts of which anything is remembered: callers may bring one each. */
const maxAccounts = 1000;
/** The most targets that are listed; others are listed together. */
const maxListed = 100;
const otherName = '(other)';

/** How a target does, by the names of the plan that first called its account. */
export interface TargetStatus extends GateStatus {
  readonly plan: string;
  readonly target: string;
}

interface Named {
  readonly gate: TargetGate;
  readonly plan: string;
  readonly target: string;
}

const noLimit: TargetPlace = { waitedMs: 0, answered: () => {}, end: () => {} };

const sum = (one: TargetStatus, other: TargetStatus): TargetStatus => ({
  plan: one.plan,
  target: one.target,
  limit: one.limit + other.limit,
  open: one.open + other.open,
  waiting: one.waiting + other.waiting,
  waited: one.waited + other.waited,
  waitedMs: one.waitedMs + other.waitedMs,
});

/** The gates of all targets. Of those that are idle the oldest are forgotten where there are too many. */
export class TargetGates {
  readonly #bounds: GateBounds;
  readonly #services: GateServices;
  readonly #names: (plan: PlaceRequest['exchange']['plan']) => PlanNames = servedNames();
  readonly #gates = new Map<string, Named>();

  constructor(bounds: GateBounds, services: GateServices) {
    this.#bounds = bounds;
    this.#services = services;
  }

  /** Whether anybody waits. */
  get areWaitedFor(): boolean {
    for (const { gate } of this.#gates.values()) if (gate.waiting > 0) return true;
    return false;
  }

  enter(request: PlaceRequest, rank: Rank): TargetPlace | Promise<TargetPlace> {
    const known = this.#gates.get(request.account) ?? this.#open(request);
    return known === undefined ? noLimit : known.gate.enter(request, rank);
  }

  /** By plan and target; accounts of the same names are one. */
  list(): readonly TargetStatus[] {
    const listed = new Map<string, TargetStatus>();
    for (const { gate, plan, target } of this.#gates.values()) {
      const name = `${plan} ${target}`;
      const isListed = listed.has(name) || listed.size < maxListed;
      const status = { ...gate.status(), plan: isListed ? plan : otherName, target: isListed ? target : otherName };
      const key = isListed ? name : otherName;
      const before = listed.get(key);
      listed.set(key, before === undefined ? status : sum(before, status));
    }
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

  #forget(): boolean {
    for (const [account, { gate }] of this.#gates) if (gate.isIdle) return this.#gates.delete(account);
    return false;
  }
}
