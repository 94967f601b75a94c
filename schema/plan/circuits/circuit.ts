import type { JsonPointer } from '../../json/pointer.ts';
import type { CircuitName } from '../../trail/circuit-name.ts';

/** Milliseconds on the monotonic clock. */
export type Instant = number;

/** Facts about a circuit other than its state, for people. */
export interface CircuitAbout {
  /** When it left the state `closed`; absent while it is closed. */
  readonly since?: Instant;
  /** How many failures opened it, plus those of probes since; 0 while it is closed. */
  readonly failures: number;
  /** How far back failures count, in milliseconds. */
  readonly cooldownMs?: number;
  /** Its last failure: `timeout`, `network`, or the status of a provider's response, such as `upstream-503`. */
  readonly cause?: string;
  /** The place of the request that last changed it. */
  readonly place?: CircuitPlace;
  /** Its name among the leaf's circuits; absent if the leaf has only one. */
  readonly of?: CircuitName;
}

/** A leaf of a config. */
export interface CircuitPlace {
  readonly config: string;
  readonly path: JsonPointer;
  /** The id of the target. */
  readonly target: string;
}

/** The state of one circuit. `closed` keeps the instants of the failures that still count, oldest first. */
export type Circuit = (
  | { readonly state: 'closed'; readonly failures: readonly Instant[] }
  | { readonly state: 'open'; readonly until: Instant }
  | { readonly state: 'half-open'; readonly probeUntil: Instant }
) & { readonly about?: CircuitAbout };

export interface CircuitSettings {
  /** Failures within one cooldown that open the circuit; at least 1. */
  readonly threshold: number;
  /** Milliseconds: how far back failures count, how long an open circuit stays open, and how long a probe may run. */
  readonly cooldownMs: number;
}

/** How a leaf's run ended, as its circuit sees it; `neutral` says nothing about the upstream. */
export type CircuitOutcome = 'success' | 'failure' | 'neutral';

export interface Admission {
  readonly circuit: Circuit;
  /** Whether this run is the probe, whose outcome decides a half-open circuit. */
  readonly probe: boolean;
}

export const closedCircuit: Circuit = { state: 'closed', failures: [] };

/** Whether a group may prefer this branch: it is closed, has cooled down, or its probe has expired. */
export const isAvailable = (circuit: Circuit, now: Instant): boolean => {
  switch (circuit.state) {
    case 'closed':
      return true;
    case 'open':
      return now >= circuit.until;
    case 'half-open':
      return now >= circuit.probeUntil;
  }
};

/** Whether a run of a leaf that starts now would be the probe. */
export const isProbe = (circuit: Circuit, now: Instant): boolean =>
  circuit.state !== 'closed' && isAvailable(circuit, now);

/** Registers a run of a leaf: if its circuit has cooled down, the run becomes the probe. A circuit never refuses. */
export const admit = (circuit: Circuit, now: Instant, { cooldownMs }: CircuitSettings): Admission =>
  isProbe(circuit, now)
    ? { circuit: { state: 'half-open', probeUntil: now + cooldownMs }, probe: true }
    : { circuit, probe: false };

/** Registers the end of a run. A probe decides its circuit; other runs count only while the circuit is closed. */
export const settle = (
  circuit: Circuit,
  now: Instant,
  {
    outcome,
    probe,
    threshold,
    cooldownMs,
  }: CircuitSettings & { readonly outcome: CircuitOutcome; readonly probe: boolean },
): Circuit => {
  if (circuit.state === 'closed') {
    if (outcome !== 'failure') return circuit;
    const failures = [...circuit.failures.filter((at) => at > now - cooldownMs), now];
    return failures.length >= threshold ? { state: 'open', until: now + cooldownMs } : { state: 'closed', failures };
  }
  if (!probe || circuit.state !== 'half-open') return circuit;
  switch (outcome) {
    case 'success':
      return closedCircuit;
    case 'failure':
      return { state: 'open', until: now + cooldownMs };
    case 'neutral':
      return { state: 'half-open', probeUntil: now };
  }
};
