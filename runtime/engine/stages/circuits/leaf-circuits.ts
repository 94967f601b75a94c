import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { upstreamCause } from '../../../../schema/http/status.ts';
import type { CircuitOutcome, CircuitPlace, CircuitSettings } from '../../../../schema/plan/circuits/circuit.ts';
import type { BreakerStage, LeafNode } from '../../../../schema/plan/plan.ts';
import type { MetCircuit, Transition } from '../../../ports/breakers.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { Hedging, Run } from '../../call/run.ts';
import { curableReport } from '../../error-responses/curable-report.ts';
import { forwardedOwner } from '../../target/forwarded-owner.ts';
import type { TargetResolver } from '../../target/linked-target.ts';
import type { PreparedTarget } from '../../target/prepared-target.ts';
import { toStateKey } from '../../target/state-key.ts';
import type { LeafProbe } from './leaf-probe.ts';

/** A completed run that says something about its upstream. */
export interface EndedRun {
  readonly outcome: Exclude<CircuitOutcome, 'neutral'>;
  readonly response: Pick<GatewayResponse, 'status' | 'origin' | 'headers'>;
}

/** The outcome of a run for one circuit, and the settings that apply to it. */
export interface CircuitVerdict {
  readonly outcome: CircuitOutcome;
  readonly settings: CircuitSettings;
}

/** The circuits of a leaf: one, or several for its models and classes of errors. */
export interface LeafCircuits {
  /** Returns the circuits that apply to a request, in the order in which they admit it. */
  meet(target: PreparedTarget, exchange: Exchange): readonly MetCircuit[];
  judge(circuit: MetCircuit, run: EndedRun): CircuitVerdict;
  /** Probes whether the target works again. If absent, real requests are tried instead. */
  readonly probe?: LeafProbe;
}

/** Creates the single circuit of a leaf whose breaker is not divided. */
export const oneCircuit = ({ hash: leaf }: LeafNode, settings: BreakerStage, place: CircuitPlace): LeafCircuits => ({
  meet(target, exchange) {
    const { tenant } = exchange.principal;
    return [{ key: toStateKey({ tenant, leaf, owner: forwardedOwner(target, exchange) }), tenant, leaf, place }];
  },
  judge: (_circuit, { outcome }) => ({ outcome, settings }),
});

/**
 * Returns a function that reads whether a leaf's circuits let a group prefer it: none of them is left to probes, and each is
 * closed or has cooled down. A leaf that cannot serve reports that when it runs.
 */
export const circuitReader =
  (circuits: LeafCircuits, { ports: { breakers } }: LinkContext, resolve: TargetResolver) =>
  ({ exchange }: Run): boolean => {
    try {
      const target = resolve(exchange);
      const met = circuits.meet(target, exchange);
      const { probe } = circuits;
      if (probe === undefined) return met.every((circuit) => breakers.available(circuit));
      const open = met.filter((circuit) => !breakers.isClosed(circuit));
      const left = open.filter((circuit) => !probe.watch(circuit, target, exchange));
      return left.length === open.length && left.every((circuit) => breakers.available(circuit));
    } catch (error) {
      curableReport(error);
      return true;
    }
  };

/** Returns a function that reads whether a run of a leaf would be the probe of one of its circuits. */
export const probeReader =
  (circuits: LeafCircuits, { ports: { breakers } }: LinkContext, resolve: TargetResolver) =>
  ({ exchange }: Run): boolean => {
    try {
      return circuits.meet(resolve(exchange), exchange).some((circuit) => breakers.probes(circuit));
    } catch (error) {
      curableReport(error);
      return false;
    }
  };

/** Returns the name of a failure: an error class of the gateway itself, or the status of a provider. */
const causeOf = (run: EndedRun | undefined): string | undefined => {
  if (run === undefined) return undefined;
  const { origin, status } = run.response;
  return origin === 'upstream' ? upstreamCause(status) : origin;
};

interface Admitted {
  readonly circuit: MetCircuit;
  readonly probe: boolean;
}

/** The circuits of a leaf during one run of it. */
export class RunCircuits {
  readonly #context: LinkContext;
  readonly #stage: BreakerStage;
  readonly #circuits: LeafCircuits;
  readonly #call: LeafCall;
  readonly #admitted: readonly Admitted[];
  readonly #hedging: Hedging | undefined;
  /** Until when the run is the only probe, if it is one. */
  readonly #probeUntil: number;

  /** Admits the run. */
  constructor(
    stage: BreakerStage,
    circuits: LeafCircuits,
    { context, call }: { context: LinkContext; call: LeafCall },
  ) {
    this.#stage = stage;
    this.#context = context;
    this.#circuits = circuits;
    this.#call = call;
    const { breakers, clock } = context.ports;
    this.#probeUntil = clock.monotonic() + stage.cooldownMs;
    this.#admitted = circuits.meet(call.target, call.originalExchange).map((circuit) => {
      const { probe, changed } = breakers.admit(circuit, stage);
      this.#report(circuit, changed);
      return { circuit, probe };
    });
    this.#hedging = call.run.hedging;
    this.#countProbes(1);
  }

  /** Called once the outcome of the run is known. Undefined means that it says nothing about the upstream. */
  settle(run: EndedRun | undefined): void {
    this.#countProbes(-1);
    const { breakers, clock } = this.#context.ports;
    const isExpired = clock.monotonic() >= this.#probeUntil;
    for (const { circuit, probe } of this.#admitted) {
      const { outcome, settings } = this.#judge(circuit, run);
      // A later probe may be running by then. An outcome that says nothing must not end that one's turn.
      if (outcome === 'neutral' && isExpired) continue;
      const later = outcome === 'failure' ? (changed: Transition): void => this.#report(circuit, changed) : undefined;
      const cause = outcome === 'failure' ? causeOf(run) : undefined;
      this.#report(circuit, breakers.settle(circuit, settings, { outcome, probe, cause, later }));
    }
  }

  /** Hedges need to know which probes run at the same time. */
  #countProbes(sign: 1 | -1): void {
    if (this.#hedging === undefined) return;
    for (const { probe } of this.#admitted) if (probe) this.#hedging.probes += sign;
  }

  #judge(circuit: MetCircuit, run: EndedRun | undefined): CircuitVerdict {
    return run === undefined ? { outcome: 'neutral', settings: this.#stage } : this.#circuits.judge(circuit, run);
  }

  #report(circuit: MetCircuit, changed: Transition | undefined): void {
    if (changed === undefined) return;
    const { of } = circuit;
    const { leaf, target, originalExchange } = this.#call;
    const { path } = leaf;
    const event = { kind: 'circuitChanged', path, ...(of === undefined ? {} : { of }), ...changed } as const;
    this.#context.notices.circuitChanged(event, originalExchange);
    if (changed.to === 'open') this.#circuits.probe?.watch(circuit, target, originalExchange);
  }
}
