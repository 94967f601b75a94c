import { canonicalJson } from '../../schema/json/canonical.ts';
import { listCircuits } from '../../schema/plan/circuits/circuit-names.ts';
import { poolName } from '../../schema/plan/hash-plan.ts';
import type { BreakerStage, LeafNode, Target } from '../../schema/plan/plan.ts';
import { findStage } from '../../schema/plan/stages.ts';
import { targetModel } from '../../schema/plan/target-model.ts';
import type { CircuitName } from '../../schema/trail/circuit-name.ts';

/** A circuit that a request meets at a leaf. */
export interface MeantCircuit {
  /** Leaves share circuits with the same key. */
  readonly key: string;
  /** Absent if the leaf has only one circuit. */
  readonly of?: CircuitName;
}

/** The running probes of a circuit. */
export interface Probing {
  readonly circuit: MeantCircuit;
  /** The target that is called: that of the leaf that a request reached first. */
  readonly target: string;
  readonly everyMs: number;
  /** When the next probe is sent. */
  readonly nextAt: number;
  /** When a request last met the circuit. */
  readonly metAt: number;
}

/**
 * Returns the key of a credential's circuit: what a target states about the credential and about where it is sent. Leaves that
 * probe differently do not share the circuit.
 */
const credentialKey = ({ from, upstream, settings, credential }: Target, { probe }: BreakerStage): string => {
  const own = credential?.kind === 'keys' ? { pool: poolName({ from }, credential) } : { credential };
  return canonicalJson({ from, upstream, settings, ...own, ...(probe && { probe }) });
};

/** Returns the circuits that a request for a model meets at a leaf, in order; empty if the leaf has no breaker. */
export const meantCircuits = (leaf: LeafNode, target: Target, asked: unknown): readonly MeantCircuit[] => {
  const stage = findStage(leaf, 'breaker');
  if (stage === undefined) return [];
  if (stage.by === undefined) return [{ key: leaf.hash }];
  const model = targetModel(target) ?? (typeof asked === 'string' ? asked : undefined);
  return listCircuits(stage.by, model).map((of) => ({
    key: of.kind === 'credential' ? credentialKey(target, stage) : `${leaf.hash} ${canonicalJson({ ...of })}`,
    of,
  }));
};
