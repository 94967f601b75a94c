import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { FallbackNode, GroupNode, PlanNode } from '../../../schema/plan/plan.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';

/** A leaf that answered for its provider, and with what. */
export interface LeafRefusal {
  readonly path: JsonPointer;
  readonly status: number;
}

/** Walks a plan along the trail of a request that went through it. */
class TrailWalk {
  readonly refusals: LeafRefusal[] = [];
  readonly #trail: readonly TrailEvent[];
  readonly #status: number;
  #at = 0;

  constructor(trail: readonly TrailEvent[], status: number) {
    this.#trail = trail;
    this.#status = status;
  }

  visit(node: PlanNode): void {
    switch (node.kind) {
      case 'leaf':
        this.#leaf(node.path);
        break;
      case 'fallback':
        this.#fallback(node);
        break;
      default: {
        this.#unable(node);
        this.#take('skipped', node.path);
        const branch = node.branches[this.#take('chose', node.path)?.branch ?? -1];
        if (branch !== undefined) this.visit('node' in branch ? branch.node : branch);
      }
    }
  }

  /** The next event, where it is of this kind and of this place. */
  /** Takes the branches that a group left out because they were unable; where these are all, it comes to none. */
  #unable({ path }: GroupNode): readonly number[] {
    return (this.#take('unable', path)?.branches ?? []).map(({ branch }) => branch);
  }

  #take<Kind extends 'skipped' | 'unable' | 'chose' | 'fellBack'>(
    kind: Kind,
    path: string,
  ): Extract<TrailEvent, { kind: Kind }> | undefined {
    const event = this.#trail[this.#at];
    if (event?.kind !== kind || event.path !== path) return undefined;
    this.#at += 1;
    return event as Extract<TrailEvent, { kind: Kind }>;
  }

  #fallback(node: FallbackNode): void {
    const { path, branches } = node;
    const leftOut = [...this.#unable(node), ...(this.#take('skipped', path)?.branches ?? [])];
    let branch = branches.find((_, index) => !leftOut.includes(index));
    while (branch !== undefined) {
      this.visit(branch);
      const next = this.#take('fellBack', path);
      branch = next === undefined ? undefined : branches[next.to];
    }
  }

  #leaf(path: JsonPointer): void {
    let sent = false;
    for (let event = this.#trail[this.#at]; event !== undefined; event = this.#trail[this.#at]) {
      if (!('path' in event) || event.path !== path) break;
      const isServed = event.kind === 'attempted' || event.kind === 'cached';
      if (isServed || (event.kind === 'checked' && event.result === 'denied')) sent = true;
      this.#at += 1;
    }
    if (sent) return;
    const next = this.#trail[this.#at];
    if (next?.kind === 'clientLeft' || next?.kind === 'deadlinePassed') return;
    this.refusals.push({ path, status: next?.kind === 'fellBack' ? next.status : this.#status });
  }
}

/**
 * The leaves that a request came to and that sent nothing, though no check denied it and no cache answered it: they refused it themselves, with these
 * statuses. `status` is the one that the request ended with.
 */
export const refusedLeaves = (
  root: PlanNode,
  { trail, status }: { readonly trail: readonly TrailEvent[]; readonly status: number },
): readonly LeafRefusal[] => {
  const walk = new TrailWalk(trail, status);
  walk.visit(root);
  return walk.refusals;
};
