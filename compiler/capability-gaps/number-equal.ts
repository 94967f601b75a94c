import type { ModelFacts } from '../../schema/model-facts/model-facts.ts';
import { findMaxOutput } from '../../schema/usage/max-output.ts';
import type { ComparedTarget } from './compared-target.ts';
import type { GapNode } from './gap-node.ts';

const texts = new WeakMap<ModelFacts, string>();

/** Describes the facts about a model as a text. It is written only once, because many targets call the same model. */
const describeFacts = (facts: ModelFacts): string => {
  const text = texts.get(facts) ?? JSON.stringify(facts);
  texts.set(facts, text);
  return text;
};

/** Describes everything that an answer about a target depends on. */
const describeTarget = ({ provider, settings, model, spoken, facts, params }: ComparedTarget): string => {
  const called = JSON.stringify([provider.id, settings, model, spoken.map(({ id }) => id), findMaxOutput(params)]);
  return facts === undefined ? called : `${called} ${describeFacts(facts)}`;
};

/** Creates a function that numbers nodes: equal targets in equal groups have the same number. */
export const createNumbers = (): ((node: GapNode<unknown>) => number) => {
  const numbers = new Map<string, number>();
  const known = new WeakMap<GapNode<unknown>, number>();
  const describe = (node: GapNode<unknown>): string => {
    if (node.kind === 'leaf') return node.target === undefined ? 'unknown' : describeTarget(node.target);
    return `${node.mode} ${node.requires} ${node.branches.map(numberOf).join()}`;
  };
  const numberOf = (node: GapNode<unknown>): number => {
    const own = known.get(node);
    if (own !== undefined) return own;
    const description = describe(node);
    const number = numbers.get(description) ?? numbers.size;
    numbers.set(description, number);
    known.set(node, number);
    return number;
  };
  return numberOf;
};
