import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { listNodes } from '../../../schema/plan/list-branches.ts';
import type { FallbackNode, GroupNode, PlanNode } from '../../../schema/plan/plan.ts';
import type { TrailEvent, TrailEventOf } from '../../../schema/trail/trail.ts';

/** A leaf that answered instead of its provider, and its answer. */
export interface LeafRefusal {
  readonly path: JsonPointer;
  /** The number of the attempt that it did not make, counted from 1. */
  readonly attempt: number;
  readonly status: number;
}

/** The status of an attempt that was cancelled because another branch had the answer. */
const cutStatus = 499;

/** Lists the places of a node and of everything below it. */
const listPlaces = (node: PlanNode): readonly JsonPointer[] => listNodes(node).map(({ path }) => path);

/** Walks a plan along the trail of a request that went through it. */
class TrailWalk {
  readonly refusals: LeafRefusal[] = [];
  #trail: readonly TrailEvent[];
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

  /** Takes the branches that a group skipped because they were unable. If these are all branches, the request reaches none. */
  #unable({ path }: GroupNode): readonly number[] {
    return (this.#take('unable', path)?.branches ?? []).map(({ branch }) => branch);
  }

  /** Takes the next event if it has this kind and this place. */
  #take<Kind extends 'skipped' | 'unable' | 'chose' | 'fellBack'>(
    kind: Kind,
    path: string,
  ): TrailEventOf<Kind> | undefined {
    const event = this.#trail[this.#at];
    if (event?.kind !== kind || event.path !== path) return undefined;
    this.#at += 1;
    return event as TrailEventOf<Kind>;
  }

  #fallback(node: FallbackNode): void {
    const { path, branches } = node;
    const leftOut = [...this.#unable(node), ...(this.#take('skipped', path)?.branches ?? [])];
    let branch = branches.find((_, index) => !leftOut.includes(index));
    if (branch !== undefined) this.#unhedge(path, branch);
    while (branch !== undefined) {
      this.visit(branch);
      const next = this.#take('fellBack', path);
      branch = next === undefined ? undefined : branches[next.to];
    }
  }

  /**
   * Reorders the trail so that the events of a fallback's first branch come before those of the branch that was called as its
   * hedge, as if the fallback had called one after the other.
   */
  #unhedge(path: JsonPointer, first: PlanNode): void {
    const rest = this.#trail.slice(this.#at);
    const begun = rest.findIndex((event) => event.kind === 'hedged' && event.path === path);
    const end = rest.findIndex((event) => event.kind === 'hedgeEnded' && event.path === path);
    const both = rest.slice(0, end);
    const hedged = rest[begun];
    const hedging = (event: TrailEvent): boolean =>
      'path' in event && event.path === path && (event.kind === 'hedged' || event.kind === 'fellBack');
    if (end < 0) return;
    if (hedged?.kind !== 'hedged') {
      this.#trail = [...this.#trail.slice(0, this.#at + end), ...rest.slice(end + 1)];
      return;
    }
    const places = new Set(listPlaces(first));
    const isOfFirst = (event: TrailEvent): boolean => 'path' in event && places.has(event.path);
    const passed = both.find((event) => event.kind === 'fellBack' && event.path === path);
    const { from, to } = hedged;
    const between = passed ?? ({ kind: 'fellBack', path, from, to, status: cutStatus } as const);
    const others = both.filter((event) => !hedging(event));
    this.#trail = [
      ...this.#trail.slice(0, this.#at),
      ...others.filter(isOfFirst),
      between,
      ...others.filter((event) => !isOfFirst(event)),
      ...rest.slice(end + 1),
    ];
  }

  #leaf(path: JsonPointer): void {
    let sent = 0;
    let isOver = false;
    for (let event = this.#trail[this.#at]; event !== undefined; event = this.#trail[this.#at]) {
      if (!('path' in event) || event.path !== path) break;
      if (event.kind === 'attempted') sent += 1;
      // A wait is followed by an attempt, unless the attempt is refused.
      if (event.kind === 'attempted' || event.kind === 'cached') isOver = true;
      else if (event.kind === 'checked' && event.result === 'denied') isOver = true;
      else if (event.kind === 'retried') isOver = false;
      this.#at += 1;
    }
    if (isOver) return;
    const next = this.#trail[this.#at];
    if (next?.kind === 'clientLeft' || next?.kind === 'deadlinePassed') return;
    this.refusals.push({ path, attempt: sent + 1, status: next?.kind === 'fellBack' ? next.status : this.#status });
  }
}

/**
 * Returns the leaves that a request reached but that did not send it, or did not send it again after a wait, although no check
 * denied it and no cache answered it: they refused it themselves, with these statuses. `status` is the one that the request ended
 * with.
 */
export const refusedLeaves = (
  root: PlanNode,
  { trail, status }: { readonly trail: readonly TrailEvent[]; readonly status: number },
): readonly LeafRefusal[] => {
  const walk = new TrailWalk(trail, status);
  walk.visit(root);
  return walk.refusals;
};
