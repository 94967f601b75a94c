import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { findMaxOutput } from '../../schema/usage/max-output.ts';
import type { AskedTarget } from './asked-target.ts';
import { canAsk } from './can-ask.ts';
import { type Feature, features } from './features.ts';
import { createWays, type FindWay, type Shortage } from './find-shortage.ts';
import type { AskedGroup, AskedLeaf, GapNode } from './gap-node.ts';
import { createNumbers } from './number-equal.ts';

/** A number of tokens that one target takes and another does not. */
export interface Limit {
  readonly of: 'context' | 'output';
  /** The most tokens of the target. */
  readonly max: number;
}

/** A loss of requests at a target that another branch serves. */
export type Gap =
  | { readonly kind: 'feature'; readonly feature: Feature; readonly shortage: Shortage }
  | { readonly kind: 'limit'; readonly limit: Limit }
  /** Its provider serves no request of the dialect. */
  | { readonly kind: 'not-served' };

/** A leaf with its gaps, beside the branch that has none of them. */
export interface LeafGaps<Leaf> {
  readonly leaf: Leaf;
  /** The first leaf of the branch that serves what this one does not. */
  readonly beside: Leaf;
  readonly gaps: readonly Gap[];
}

export interface GapOptions {
  /** The dialects of clients; a gap is one in each of them in which the other branch serves the feature. */
  readonly clients: readonly Dialect[];
  readonly findDialect: (id: string) => Dialect | undefined;
  /** The features that are asked about; all where absent. */
  readonly of?: readonly Feature[];
  /**
   * Whether a branch counts as serving only what its models are known to have; else what is not known counts as able there too. Limits
   * that differ little are left out then.
   */
  readonly isSure?: boolean;
}

/** A question about leaves: why one of them lacks something, or undefined. */
type Question = (target: AskedTarget) => Gap | undefined;

interface Lacking<Leaf> {
  readonly leaf: Leaf;
  readonly gap: Gap;
}

/** The leaves to which a request may be sent that they do not serve. A group that asks only able branches has some where none is able. */
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

/** The least that the leaves of a branch take; undefined where it is not known of one of them. */
const smallestOf = <Leaf>(node: GapNode<Leaf>, of: Limit['of']): number | undefined => {
  const limits = toLeaves(node).map(({ target }) => target?.facts?.[of]);
  return limits.includes(undefined) ? undefined : Math.min(...limits.flatMap((limit) => limit ?? []));
};

const limitQuestion =
  (of: Limit['of'], served: number): Question =>
  ({ facts, params }) => {
    const max = facts?.[of];
    // A target that bounds its answers itself is asked for no more than that.
    const asked = of === 'output' ? (findMaxOutput(params) ?? served) : served;
    return max === undefined || max >= asked ? undefined : { kind: 'limit', limit: { of, max } };
  };

const featureQuestion =
  (feature: Feature, client: Dialect, findWay: FindWay): Question =>
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

/** A gap of a leaf, beside the first leaf of the branch that has none. */
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

/** The leaves that lack something, for each branch of a group in their order. */
type LackingBranches<Leaf> = readonly (readonly Lacking<Leaf>[])[];

/** The branch that serves what another one lacks: of a fallback the first, of a balance any. */
const findServing = <Leaf>(
  { mode, branches }: AskedGroup<Leaf>,
  lacking: LackingBranches<Leaf>,
  { but, isAble }: { readonly but: number; readonly isAble: (branch: GapNode<Leaf>) => boolean },
): number =>
  branches.findIndex(
    (branch, index) =>
      index !== but && (mode === 'loadbalance' || index === 0) && lacking[index]?.length === 0 && isAble(branch),
  );

/** Whether the models of a branch are known to have what a feature needs. */
const isKnownAble = <Leaf>(node: GapNode<Leaf>, { capability }: Feature): boolean =>
  capability !== undefined &&
  toLeaves(node).every(({ target }) => target?.facts?.capabilities.includes(capability) === true);

/** The branch of which every leaf takes the most tokens, as far as that is known, and how many. */
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

/** Limits that differ by less than a tenth are said only where everything is. */
const worthSaying = 0.9;

const addLimits = <Leaf>({ group, found }: Compared<Leaf>, { isSure }: Pick<Known, 'isSure'>): void => {
  for (const of of ['context', 'output'] as const) {
    const [largest, max] = findLargest(group, of) ?? [];
    const beside = group.branches[largest ?? -1];
    const first = beside && firstLeaf(beside);
    if (first === undefined || max === undefined) continue;
    for (const branch of group.branches)
      if (branch !== beside)
        for (const each of listLacking(branch, limitQuestion(of, isSure ? max * worthSaying : max)))
          found.push({ ...each, beside: first });
  }
};

interface Known {
  readonly findWay: FindWay;
  readonly isSure: boolean;
}

interface Asker {
  readonly feature: Feature;
  /** The dialects that have words for it. */
  readonly clients: readonly Dialect[];
}

/** Adds the leaves that lack a feature for all clients to whom another branch serves it. */
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

/** The same group, whose leaves are their positions in it. */
const withPositions = (group: AskedGroup<unknown>): AskedGroup<number> => {
  let next = 0;
  const positioned = (node: GapNode<unknown>): GapNode<number> =>
    node.kind === 'leaf' ? { ...node, leaf: next++ } : { ...node, branches: node.branches.map(positioned) };
  return { ...group, branches: group.branches.map(positioned) };
};

/**
 * Lists what requests that one branch of a group serves lose at another, by the facts of models and by what codecs say that
 * formats cannot carry. What is not known counts as able. A later branch of a fallback is compared with its first, and a branch of
 * a balance with the first other one that serves the feature; branches of a conditional are not compared, since each has requests
 * of its own, and neither are those of a group that asks only able ones.
 */
export const findGaps = <Leaf>(
  root: GapNode<Leaf>,
  { clients, findDialect, of = features, isSure = false }: GapOptions,
): readonly LeafGaps<Leaf>[] => {
  const findWay = createWays(findDialect);
  const found = new FoundGaps<Leaf>();
  const askers = of.map((feature) => ({ feature, clients: clients.filter((client) => canAsk(feature, client)) }));
  const compare = (group: AskedGroup<number>): readonly FoundGap<number>[] => {
    const compared = { group, found: [] };
    for (const asker of askers) addFeature(compared, asker, { findWay, isSure });
    addLimits(compared, { isSure });
    return compared.found;
  };
  const numberOf = createNumbers();
  /** The gaps of groups by their number: of many that are equal, one is compared. */
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
