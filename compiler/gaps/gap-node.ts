import type { AskedTarget } from './asked-target.ts';

export interface AskedLeaf<Leaf> {
  readonly kind: 'leaf';
  readonly leaf: Leaf;
  /** Absent where nothing is known of it: it counts as able. */
  readonly target: AskedTarget | undefined;
}

export interface AskedGroup<Leaf> {
  readonly kind: 'group';
  readonly mode: 'fallback' | 'loadbalance' | 'conditional';
  /** Whether it asks only branches that are able. */
  readonly requires: boolean;
  /** Those that requests can come to. */
  readonly branches: readonly GapNode<Leaf>[];
}

/** The groups of a plan or of a config, and what their leaves can serve. */
export type GapNode<Leaf> = AskedLeaf<Leaf> | AskedGroup<Leaf>;
