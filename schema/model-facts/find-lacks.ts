import type { Capability } from './capability.ts';
import type { Lack } from './lack.ts';
import type { ModelFacts } from './model-facts.ts';

/** The needs of a request that the model must meet which serves it. */
export interface ModelNeeds {
  readonly capabilities: readonly Capability[];
  /** Whether its input is estimated at more tokens than these. */
  isLongerThan(tokens: number): boolean;
  /** The most tokens that it lets the model answer with; undefined if it does not say. */
  readonly maxOutput: number | undefined;
}

/** Finds what a model is known to lack of what a request needs. What is not known counts as there. */
export const findLacks = (
  { lacks, context, output }: Pick<ModelFacts, 'lacks' | 'context' | 'output'>,
  { capabilities, isLongerThan, maxOutput }: ModelNeeds,
): readonly Lack[] => {
  const found: Lack[] = capabilities.filter((capability) => lacks.includes(capability));
  if (context !== undefined && isLongerThan(context)) found.push('context');
  if (output !== undefined && maxOutput !== undefined && maxOutput > output) found.push('output');
  return found;
};
