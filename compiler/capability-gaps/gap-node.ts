import type { ComparedTarget } from './compared-target.ts';

export interface AskedLeaf<Leaf> {
  readonly kind: 'leaf';
  readonly leaf: Leaf;
  /** Absent if nothing is known about it; it then counts as able. */
  readonly target: ComparedTarget | undefined;
}

export interface AskedGroup<Leaf> {
  readonly kind: 'group';
  readonly mode: 'fallback' | 'loadbalance' | 'conditional';
  /** Whether it calls only branches that are able. */
  readonly requires: boolean;
  /** The branches that requests can reach. */
  readonly branches: readonly GapNode<Leaf>[];
}

/** The groups of a plan or of a config, with what their leaves can serve. */
export type GapNode<Leaf> = AskedLeaf<Leaf> | AskedGroup<Leaf>;
