import type { Capability } from './capability.ts';
import type { Lack } from './lack.ts';
import type { ModelFacts } from './model-facts.ts';

/** The needs of a request that a model must meet to serve it. */
export interface ModelNeeds {
  readonly capabilities: readonly Capability[];
  /** Whether its input is estimated at more than this number of tokens. */
  isLongerThan(tokens: number): boolean;
  /** The most output tokens that the request allows; undefined if it does not say. */
  readonly maxOutput: number | undefined;
}

/** Finds the needs of a request that a model is known not to meet. Anything unknown counts as met. */
export const findLacks = (
  { lacks, context, output }: Pick<ModelFacts, 'lacks' | 'context' | 'output'>,
  { capabilities, isLongerThan, maxOutput }: ModelNeeds,
): readonly Lack[] => {
  const found: Lack[] = capabilities.filter((capability) => lacks.includes(capability));
  if (context !== undefined && isLongerThan(context)) found.push('context');
  if (output !== undefined && maxOutput !== undefined && maxOutput > output) found.push('output');
  return found;
};
