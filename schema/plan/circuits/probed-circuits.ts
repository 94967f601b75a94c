import type { CircuitName } from '../../trail/circuit-name.ts';

/** A circuit that no request has met for so long, in milliseconds, is probed no more, until the next one meets it. */
export const maxUnmetMs = 600_000;

/**
 * Whether a probe says anything of a circuit: a list of models comes from a target and a credential that work, and says nothing
 * of whether it serves one of them, or has reached a limit.
 */
export const isProbedCircuit = (of: CircuitName | undefined): boolean =>
  of === undefined || of.kind === 'target' || of.kind === 'credential';
