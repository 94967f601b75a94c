import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { CircuitOutcome } from '../../../schema/plan/circuit.ts';
import type { BreakerStage, LeafNode } from '../../../schema/plan/plan.ts';
import type { StateKey } from '../../ports/breakers.ts';
import type { LinkContext } from '../call/context.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import type { Hedging, Run } from '../call/run.ts';
import { curableReport } from '../responses/curable-report.ts';
import { forwardedOwner } from '../target/forwarded-owner.ts';
import type { TargetResolver } from '../target/linked-target.ts';
import type { PreparedTarget } from '../target/prepared-target.ts';
import { toStateKey } from '../target/state-key.ts';

const toKey = (leaf: LeafNode, target: PreparedTarget, exchange: Exchange): StateKey =>
  toStateKey(exchange.principal.tenant, leaf.hash, forwardedOwner(target, exchange));

/** Reads whether a leaf's circuit lets a group prefer it. A leaf that cannot serve reports that when it runs. */
export const circuitReader =
  (leaf: LeafNode, { ports: { breakers } }: LinkContext, resolve: TargetResolver) =>
  ({ exchange }: Run): boolean => {
    try {
      return breakers.available(toKey(leaf, resolve(exchange), exchange));
    } catch (error) {
      curableReport(error);
      return true;
    }
  };

/** Reads whether a run of a leaf would be the probe of its circuit. */
export const probeReader =
  (leaf: LeafNode, { ports: { breakers } }: LinkContext, resolve: TargetResolver) =>
  ({ exchange }: Run): boolean => {
    try {
      return breakers.probes(toKey(leaf, resolve(exchange), exchange));
    } catch (error) {
      curableReport(error);
      return false;
    }
  };

/** A leaf's circuit during one run of it. */
export class LeafCircuit {
  readonly #context: LinkContext;
  readonly #stage: BreakerStage;
  readonly #leaf: LeafNode;
  readonly #exchange: Exchange;
  readonly #hedging: Hedging | undefined;
  readonly #key: StateKey;
  readonly #probe: boolean;

  /** Admits the run. */
  constructor(stage: BreakerStage, context: LinkContext, { leaf, target, exchange, run }: LeafCall) {
    this.#stage = stage;
    this.#context = context;
    this.#leaf = leaf;
    this.#exchange = exchange;
    this.#hedging = run.hedging;
    this.#key = toKey(leaf, target, exchange);
    const { probe, changed } = context.ports.breakers.admit(this.#key, stage);
    this.#probe = probe;
    if (probe && this.#hedging !== undefined) this.#hedging.probes += 1;
    this.#report(changed);
  }

  /** Called once, when the run's outcome is known. */
  settle(outcome: CircuitOutcome): void {
    if (this.#probe && this.#hedging !== undefined) this.#hedging.probes -= 1;
    const run = { outcome, probe: this.#probe };
    this.#report(this.#context.ports.breakers.settle(this.#key, this.#stage, run));
  }

  #report(changed: ReturnType<LinkContext['ports']['breakers']['settle']>): void {
    if (changed === undefined) return;
    const event = { kind: 'circuitChanged', path: this.#leaf.path, ...changed } as const;
    this.#context.notices.circuitChanged(event, this.#exchange);
  }
}
