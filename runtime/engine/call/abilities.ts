import type { StoredPrompt } from '../../../plugins/sdk/control-plane/stored-prompt.ts';
import type { Lack } from '../../../schema/model-facts/lack.ts';
import type { LeafNode, Target } from '../../../schema/plan/plan.ts';
import type { TargetResolver } from '../target/linked-target.ts';
import type { Run } from './run.ts';

/** A leaf that a run can come to. */
export interface ReachedLeaf {
  readonly leaf: LeafNode;
  readonly target: Target;
  readonly resolve: TargetResolver;
  /** The stored prompt that it sends in place of the client's body; undefined if it sends that. */
  readonly prompt: StoredPrompt | undefined;
}

/** Knows what targets cannot do. */
export interface Abilities {
  /** Settles when `lacks` can be asked of these leaves for a run; undefined if it can now. Never rejects. */
  ready(run: Run, leaves: readonly ReachedLeaf[]): Promise<void> | undefined;
  /** What the run's request needs and the leaf is known to lack; the same all through the run. What is not known counts as there. */
  lacks(run: Run, leaf: ReachedLeaf): readonly Lack[];
}
