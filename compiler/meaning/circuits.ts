import { canonicalJson } from '../../schema/json/canonical.ts';
import { listCircuits } from '../../schema/plan/circuits/circuit-names.ts';
import { findStage } from '../../schema/plan/find-stage.ts';
import { poolName } from '../../schema/plan/hash-plan.ts';
import type { BreakerStage, LeafNode, Target } from '../../schema/plan/plan.ts';
import { targetModel } from '../../schema/plan/target-model.ts';
import type { CircuitName } from '../../schema/trail/circuit-name.ts';

/** A circuit that a request meets at a leaf. */
export interface MeantCircuit {
  /** Leaves share those whose keys are the same. */
  readonly key: string;
  /** Absent where the leaf has one circuit. */
  readonly of?: CircuitName;
}

/** The probes of a circuit, as they are under way. */
export interface Probing {
  readonly circuit: MeantCircuit;
  /** The target that is asked: that of the leaf which was met first. */
  readonly target: string;
  readonly everyMs: number;
  /** When the next one is. */
  readonly nextAt: number;
  /** When a request last met the circuit. */
  readonly metAt: number;
}

/** A credential is what a target says of it and of where it goes. Leaves that probe in other ways do not share its circuit. */
const credentialKey = ({ from, upstream, settings, credential }: Target, { probe }: BreakerStage): string => {
  const own = credential?.kind === 'keys' ? { pool: poolName({ from }, credential) } : { credential };
  return canonicalJson({ from, upstream, settings, ...own, ...(probe && { probe }) });
};

/** The circuits that a request for a model meets at a leaf, in their order; none where it has no breaker. */
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
