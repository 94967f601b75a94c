import type { JsonObject } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, joinPointers, rootPointer } from '../../../../schema/json/pointer.ts';
import { toSlug } from '../draft/draft.ts';
import { type Attempts, drawnAttempts, fallbackToOthers, retryOf } from './litellm-retries.ts';
import type { Deployment } from './litellm-target.ts';

/** A part of a config, with the place of each of its targets and the place in the source. */
export interface MadeNode {
  readonly node: JsonObject;
  readonly origins: readonly (readonly [made: JsonPointer, source: JsonPointer])[];
}

const toGroup = (mode: JsonObject, targets: readonly MadeNode[]): MadeNode => ({
  node: { strategy: mode, targets: targets.map(({ node }) => node) },
  origins: targets.flatMap(({ origins }, index) => {
    const at = childPointer(rootPointer, 'targets', index);
    return origins.map(([made, from]) => [joinPointers(at, made), from] as const);
  }),
});

const toLeaf = ({ target, pointer }: Deployment): MadeNode => ({ node: target, origins: [[rootPointer, pointer]] });

const named = (name: string, { node: { name: _name, ...node }, origins }: MadeNode): MadeNode => ({
  node: { name, ...node },
  origins,
});

/** A deployment with its number among those of its model. */
type Numbered = readonly [number: number, deployment: Deployment];

/** A draw of one of several deployments, and its remaining attempts. */
interface Draw {
  /** The prefix for the names of its targets. */
  readonly prefix: string;
  readonly attempts: Attempts;
  /** How many of the further attempts are drawn anew. */
  readonly drawn: number;
}

const withRetries = ({ node, origins }: MadeNode, retries: number): MadeNode =>
  retries === 0 ? { node, origins } : { node: { ...retryOf(retries), ...node }, origins };

/** Returns the remaining deployments with weights from which one can be drawn. */
const drawable = (others: readonly Numbered[]): readonly Numbered[] =>
  others.some(([, { weight }]) => weight > 0)
    ? others
    : others.map(([number, deployment]) => [number, { ...deployment, weight: 1 }]);

/** Returns the attempts that follow one at a target: at a target that is drawn from the others. */
const toOthers = (left: readonly Numbered[], { prefix, attempts, drawn }: Draw): MadeNode => {
  const some = drawable(left);
  const others = drawn === 1 ? withWeight(some, attempts) : some;
  const [only, second] = others;
  const retries = attempts.retries - 1;
  if (only === undefined || second !== undefined)
    return toDraw(others, { prefix, attempts: { ...attempts, retries }, drawn: drawn - 1 });
  const [number, deployment] = only;
  return named(`${prefix}${number}`, withRetries(toLeaf(deployment), retries));
};

/**
 * Returns those that can be drawn: without a balance that measures them, deployments of weight 0 are dropped if others have a
 * weight.
 */
const withWeight = (from: readonly Numbered[], { balance }: Attempts): readonly Numbered[] => {
  const weighted = from.filter(([, { weight }]) => weight > 0);
  return balance !== undefined || weighted.length === 0 ? from : weighted;
};

/** Draws one deployment; if it fails, another one is drawn from those that have not failed. */
const toDraw = (from: readonly Numbered[], draw: Draw): MadeNode => {
  const { prefix, attempts, drawn } = draw;
  const { balance, retries } = attempts;
  // A deployment that is not drawn, but called after the others, is not a target of its own.
  const first = drawn === 0 ? from : withWeight(from, attempts);
  const targets = first.map(([number, deployment]) => {
    const name = `${prefix}${number}`;
    const leaf = named(name, toLeaf(deployment));
    const share = balance === undefined && first.length > 1 ? { weight: deployment.weight } : {};
    if (drawn === 0) return { ...leaf, node: { ...leaf.node, ...share } };
    const others = from.filter(([other]) => other !== number);
    const { node, origins } = toGroup(fallbackToOthers, [
      leaf,
      toOthers(others, { prefix: `${name}-then-`, attempts, drawn }),
    ]);
    return { node: { ...share, ...node }, origins };
  });
  const [only, second] = targets;
  if (only !== undefined && second === undefined) return only;
  const group = toGroup({ mode: 'loadbalance', ...(balance === undefined ? {} : { balance }) }, targets);
  return drawn === 0 ? withRetries(group, retries) : group;
};

/** Returns one deployment as it is, several as a load balance. */
const toBalance = (deployments: readonly Deployment[], name: string, attempts: Attempts): MadeNode => {
  const [only, second] = deployments;
  if (only !== undefined && second === undefined) return named(name, toLeaf(only));
  const drawn = drawnAttempts(deployments.length, attempts);
  const { node, origins } = toDraw(
    deployments.map((deployment, index) => [index + 1, deployment]),
    // Retries at the same target are those of the config.
    { prefix: `${name}-`, attempts: drawn === 0 ? { ...attempts, retries: 0 } : attempts, drawn },
  );
  return named(name, { node: drawn === 0 ? node : { ...retryOf(0), ...node }, origins });
};

/** Returns the deployments of a model. Those with a lower `order` are called before the others. */
export const toNode = (deployments: readonly Deployment[], model: string, attempts: Attempts): MadeNode => {
  const name = toSlug(model);
  const orders = [...new Set(deployments.map(({ order }) => order))].toSorted((one, other) => one - other);
  if (orders.length < 2) return toBalance(deployments, name, attempts);
  const steps = orders.map((order) =>
    toBalance(
      deployments.filter((deployment) => deployment.order === order),
      `${name}-order-${order}`,
      attempts,
    ),
  );
  return named(name, toGroup({ mode: 'fallback' }, steps));
};

const meaningOf = ({ node: { name: _name, ...node } }: MadeNode): string => JSON.stringify(node);

/** Chains the nodes. A node that equals an earlier one is not called twice. */
export const toChain = (nodes: readonly MadeNode[]): MadeNode => {
  const different = nodes.filter(
    (node, index) => nodes.findIndex((other) => meaningOf(other) === meaningOf(node)) === index,
  );
  const [first, second] = different;
  return first !== undefined && second === undefined ? first : toGroup({ mode: 'fallback' }, different);
};
