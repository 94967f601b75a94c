import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { findMaxOutput } from '../../schema/usage/max-output.ts';
import { canAsk } from './can-ask.ts';
import type { ComparedTarget } from './compared-target.ts';
import { type Feature, features } from './features.ts';
import { createRoutes, type FindRoute, type Shortage } from './find-shortage.ts';
import type { AskedGroup, AskedLeaf, GapNode } from './gap-node.ts';
import { createNumbers } from './number-equal.ts';

/** A number of tokens that one target accepts and another does not. */
export interface Limit {
  readonly of: 'context' | 'output';
  /** The target's maximum number of tokens. */
  readonly max: number;
}

/** A loss of requests at a target that another branch serves. */
export type Gap =
  | { readonly kind: 'feature'; readonly feature: Feature; readonly shortage: Shortage }
  | { readonly kind: 'limit'; readonly limit: Limit }
  /** Its provider serves no requests of the dialect. */
  | { readonly kind: 'not-served' };

/** A leaf with its gaps, and the branch that has none of them. */
export interface LeafGaps<Leaf> {
  readonly leaf: Leaf;
  /** The first leaf of the branch that serves what this leaf does not. */
  readonly beside: Leaf;
  readonly gaps: readonly Gap[];
}

export interface GapOptions {
  /** The dialects of clients. There is a gap for each dialect in which the other branch serves the feature. */
  readonly clients: readonly Dialect[];
  readonly findDialect: (id: string) => Dialect | undefined;
  /** The features to compare; all if absent. */
  readonly of?: readonly Feature[];
  /**
   * Whether a branch counts as serving only what its models are known to support. If not, unknown capabilities count as present
   * there too. If set, limits that differ little are omitted.
   */
  readonly isSure?: boolean;
}

/** A question about leaves: returns why a leaf lacks something, or undefined. */
type Question = (target: ComparedTarget) => Gap | undefined;

interface Lacking<Leaf> {
  readonly leaf: Leaf;
  readonly gap: Gap;
}

/**
 * Returns the leaves that a request may reach and that do not serve it. A group that calls only able branches has such leaves
 * only if no branch is able.
 */
const listLacking = <Leaf>(node: GapNode<Leaf>, ask: Question): readonly Lacking<Leaf>[] => {
  if (node.kind === 'leaf') {
    const gap = node.target && ask(node.target);
    return gap === undefined ? [] : [{ leaf: node.leaf, gap }];
  }
  const below = node.branches.map((branch) => listLacking(branch, ask));
  return node.requires && below.some((found) => found.length === 0) ? [] : below.flat();
};

const firstLeaf = <Leaf>(node: GapNode<Leaf>): Leaf | undefined =>
  node.kind === 'leaf' ? node.leaf : node.branches.map(firstLeaf).find((leaf) => leaf !== undefined);

const toLeaves = <Leaf>(node: GapNode<Leaf>): readonly AskedLeaf<Leaf>[] =>
  node.kind === 'leaf' ? [node] : node.branches.flatMap(toLeaves);

/** Returns the smallest limit of the leaves of a branch; undefined if one of them is unknown. */
const smallestOf = <Leaf>(node: GapNode<Leaf>, of: Limit['of']): number | undefined => {
  const limits = toLeaves(node).map(({ target }) => target?.facts?.[of]);
  return limits.includes(undefined) ? undefined : Math.min(...limits.flatMap((limit) => limit ?? []));
};

const limitQuestion =
  (of: Limit['of'], served: number): Question =>
  ({ facts, params }) => {
    const max = facts?.[of];
    // If a target limits its answers itself, no more than that is requested from it.
    const asked = of === 'output' ? (findMaxOutput(params) ?? served) : served;
    return max === undefined || max >= asked ? undefined : { kind: 'limit', limit: { of, max } };
  };

const featureQuestion =
  (feature: Feature, client: Dialect, findWay: FindRoute): Question =>
  (target) => {
    const way = findWay(target, client);
    if (way === 'not-served') return { kind: 'not-served' };
    const shortage = way.findShortage(feature);
    return shortage && { kind: 'feature', feature, shortage };
  };

const keyOf = (gap: Gap): string => {
  if (gap.kind === 'feature') return gap.feature.id;
  return gap.kind === 'limit' ? gap.limit.of : gap.kind;
};

/** A gap of a leaf, with the first leaf of the branch that has no such gap. */
interface FoundGap<Leaf> extends Lacking<Leaf> {
  readonly beside: Leaf;
}

/** Collects gaps by leaf, each once. */
class FoundGaps<Leaf> {
  readonly #found = new Map<Leaf, { readonly beside: Leaf; readonly gaps: Map<string, Gap> }>();

  add({ leaf, gap, beside }: FoundGap<Leaf>): void {
    const known = this.#found.get(leaf) ?? { beside, gaps: new Map<string, Gap>() };
    this.#found.set(leaf, known);
    const key = keyOf(gap);
    if (!known.gaps.has(key)) known.gaps.set(key, gap);
  }

  /** In the order of the leaves. */
  list(leaves: readonly Leaf[]): readonly LeafGaps<Leaf>[] {
    return leaves.flatMap((leaf) => {
      const found = this.#found.get(leaf);
      if (found === undefined) return [];
      const all = [...found.gaps.values()];
      const unserved = all.filter(({ kind }) => kind === 'not-served');
      return [{ leaf, beside: found.beside, gaps: unserved.length === 0 ? all : unserved }];
    });
  }
}

/** The leaves that lack something, for each branch of a group in order. */
type LackingBranches<Leaf> = readonly (readonly Lacking<Leaf>[])[];

/** Finds the branch that serves what another branch lacks: the first branch of a fallback, or any branch of a load balance. */
const findServing = <Leaf>(
  { mode, branches }: AskedGroup<Leaf>,
  lacking: LackingBranches<Leaf>,
  { but, isAble }: { readonly but: number; readonly isAble: (branch: GapNode<Leaf>) => boolean },
): number =>
  branches.findIndex(
    (branch, index) =>
      index !== but && (mode === 'loadbalance' || index === 0) && lacking[index]?.length === 0 && isAble(branch),
  );

/** Whether the models of a branch are known to support what a feature needs. */
const isKnownAble = <Leaf>(node: GapNode<Leaf>, { capability }: Feature): boolean =>
  capability !== undefined &&
  toLeaves(node).every(({ target }) => target?.facts?.capabilities.includes(capability) === true);

/** Returns the branch whose leaves all accept the most tokens, as far as that is known, and how many. */
const findLargest = <Leaf>(
  { mode, branches }: AskedGroup<Leaf>,
  of: Limit['of'],
): readonly [number, number] | undefined => {
  const known = branches.slice(0, mode === 'fallback' ? 1 : undefined).flatMap((branch, index) => {
    const min = smallestOf(branch, of);
    return min === undefined ? [] : [[index, min] as const];
  });
  return known.toSorted(([, one], [, other]) => other - one)[0];
};

interface Compared<Leaf> {
  readonly group: AskedGroup<Leaf>;
  readonly found: FoundGap<Leaf>[];
}

/** Limits that differ by less than a tenth are reported only if everything is. */
const minLimitRatio = 0.9;

const addLimits = <Leaf>({ group, found }: Compared<Leaf>, { isSure }: Pick<Known, 'isSure'>): void => {
  for (const of of ['context', 'output'] as const) {
    const [largest, max] = findLargest(group, of) ?? [];
    const beside = group.branches[largest ?? -1];
    const first = beside && firstLeaf(beside);
    if (first === undefined || max === undefined) continue;
    for (const branch of group.branches)
      if (branch !== beside)
        for (const each of listLacking(branch, limitQuestion(of, isSure ? max * minLimitRatio : max)))
          found.push({ ...each, beside: first });
  }
};

interface Known {
  readonly findWay: FindRoute;
  readonly isSure: boolean;
}

interface Asker {
  readonly feature: Feature;
  /** The dialects that can express it. */
  readonly clients: readonly Dialect[];
}

/** Adds the leaves that lack a feature, for all clients for whom another branch serves it. */
const addFeature = <Leaf>(
  { group, found }: Compared<Leaf>,
  { feature, clients }: Asker,
  { findWay, isSure }: Known,
): void => {
  const { branches } = group;
  const isAble = (branch: GapNode<Leaf>): boolean => !isSure || isKnownAble(branch, feature);
  const byClient = clients.map((client) =>
    branches.map((branch) => listLacking(branch, featureQuestion(feature, client, findWay))),
  );
  for (const index of branches.keys()) {
    const served = byClient.flatMap((lacking) => {
      const serving = findServing(group, lacking, { but: index, isAble });
      return serving === -1 ? [] : [{ lacking: lacking[index] ?? [], serving }];
    });
    const [first, ...rest] = served;
    const beside = first && branches[first.serving];
    const leaf = beside && firstLeaf(beside);
    if (first === undefined || leaf === undefined) continue;
    const others = rest.map(({ lacking }) => new Set(lacking.map((each) => each.leaf)));
    for (const each of first.lacking)
      if (others.every((lacking) => lacking.has(each.leaf))) found.push({ ...each, beside: leaf });
  }
};

/** Returns the same group with the positions of its leaves instead of the leaves. */
const withPositions = (group: AskedGroup<unknown>): AskedGroup<number> => {
  let next = 0;
  const positioned = (node: GapNode<unknown>): GapNode<number> =>
    node.kind === 'leaf' ? { ...node, leaf: next++ } : { ...node, branches: node.branches.map(positioned) };
  return { ...group, branches: group.branches.map(positioned) };
};

/**
 * Lists what requests that one branch of a group serves would lose at another, according to the facts about models and to the
 * losses that codecs report. Unknown capabilities count as present. A later branch of a fallback is compared with its first, and
 * a branch of a load balance with the first other branch that serves the feature. Branches of a conditional are not compared,
 * because each has requests of its own. Neither are branches of a group that calls only able branches.
 */
export const findGaps = <Leaf>(
  root: GapNode<Leaf>,
  { clients, findDialect, of = features, isSure = false }: GapOptions,
): readonly LeafGaps<Leaf>[] => {
  const findWay = createRoutes(findDialect);
  const found = new FoundGaps<Leaf>();
  const askers = of.map((feature) => ({ feature, clients: clients.filter((client) => canAsk(feature, client)) }));
  const compare = (group: AskedGroup<number>): readonly FoundGap<number>[] => {
    const compared = { group, found: [] };
    for (const asker of askers) addFeature(compared, asker, { findWay, isSure });
    addLimits(compared, { isSure });
    return compared.found;
  };
  const numberOf = createNumbers();
  /** The gaps of groups by number. Of many equal groups, only one is compared. */
  const known = new Map<number, readonly FoundGap<number>[]>();
  const visit = (node: GapNode<Leaf>): void => {
    if (node.kind === 'leaf') return;
    if (!node.requires && node.mode !== 'conditional') {
      const number = numberOf(node);
      const gaps = known.get(number) ?? compare(withPositions(node));
      known.set(number, gaps);
      const leaves = toLeaves(node);
      for (const { leaf: at, beside, gap } of gaps) {
        const [leaf, other] = [leaves[at], leaves[beside]];
        if (leaf !== undefined && other !== undefined) found.add({ leaf: leaf.leaf, beside: other.leaf, gap });
      }
    }
    for (const branch of node.branches) visit(branch);
  };
  visit(root);
  return found.list(toLeaves(root).map(({ leaf }) => leaf));
};
