import type { Circuit, CircuitAbout, Instant } from '../../schema/plan/circuits/circuit.ts';
import type { ListedCircuit } from '../../schema/plan/circuits/listed-circuit.ts';
import type { MetCircuit } from '../ports/breakers.ts';

interface Change {
  readonly met: MetCircuit;
  readonly now: Instant;
  /** The failure that caused the change. Undefined if none did. */
  readonly cause?: string | undefined;
  /** How far back failures count. If absent, there is no limit. */
  readonly cooldownMs?: number;
}

const countFailures = (to: Circuit, from: Circuit, { now, cooldownMs = Number.POSITIVE_INFINITY }: Change): number => {
  if (to.state === 'closed') return 0;
  if (from.state === 'closed') return from.failures.filter((at) => at > now - cooldownMs).length + 1;
  const before = from.about?.failures ?? 0;
  return from.state === 'half-open' && to.state === 'open' ? before + 1 : before;
};

/** Returns a circuit that has changed, with what is known of it for people. Information from another process stays. */
export const withAbout = (to: Circuit, from: Circuit, changed: Change): Circuit => {
  if (to.about !== undefined) return to;
  const {
    met: { of, place },
    now,
    cause,
  } = changed;
  const cooldownMs = changed.cooldownMs ?? from.about?.cooldownMs;
  const last = cause ?? from.about?.cause;
  const about: CircuitAbout = {
    failures: countFailures(to, from, changed),
    ...(to.state === 'closed' ? {} : { since: from.about?.since ?? now }),
    ...(cooldownMs === undefined ? {} : { cooldownMs }),
    ...(last === undefined ? {} : { cause: last }),
    ...(place === undefined ? {} : { place }),
    ...(of === undefined ? {} : { of }),
  };
  return { ...to, about };
};

/**
 * Returns a circuit for display, with times that are valid in other processes too. Undefined if its failures do not count any
 * more.
 */
export const toListed = (circuit: Circuit, now: Instant): ListedCircuit | undefined => {
  const { state } = circuit;
  const { since, cooldownMs = 0, failures, ...about } = circuit.about ?? { failures: 0 };
  if (state === 'closed') {
    const counting = circuit.failures.filter((at) => at > now - cooldownMs);
    return counting.length === 0 ? undefined : { state, ...about, failures: counting.length };
  }
  const until = state === 'half-open' ? circuit.probeUntil : circuit.until;
  return { state, ...about, failures, ...(since === undefined ? {} : { openMs: now - since }), leftMs: until - now };
};
