import type { CircuitName } from '../../trail/circuit-name.ts';

/** A circuit that no request has met for this time, in milliseconds, is no longer probed until another request meets it. */
export const maxUnmetMs = 600_000;

/**
 * Whether a probe says anything about a circuit. A list of models proves that the target and the credential work, but not that
 * the target serves one of the models or has not reached a limit.
 */
export const isProbedCircuit = (of: CircuitName | undefined): boolean =>
  of === undefined || of.kind === 'target' || of.kind === 'credential';
