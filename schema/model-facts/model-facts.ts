import type { Capability } from './capability.ts';

/** The sources of facts. The first one that states a fact takes precedence. */
export const factSources = ['operator', 'provider', 'row', 'table'] as const;

/**
 * The source of a fact: the operator's gateway file, the provider's own list, the row of the provider, or the public price table.
 */
export type FactSource = (typeof factSources)[number];

/** The source of a fact, and the day (`2026-11-24`) as of which it was correct. */
export interface FactOrigin {
  readonly source: FactSource;
  readonly asOf: string;
}

/** The facts of a model that have one value. */
export interface ModelLimits {
  /** The most tokens of input and output together, or of the input if the provider limits the two separately. */
  readonly context?: number | undefined;
  /** The most tokens of an answer. */
  readonly output?: number | undefined;
  /** The list that contains its prices: `gateway file` or `genai-prices`. */
  readonly prices?: string | undefined;
  /** The day from which its provider may refuse it: `2026-12-11`. */
  readonly deprecated?: string | undefined;
}

/** The statement of one source about a model. It says nothing about a capability that is in neither list. */
export interface StatedFacts extends ModelLimits, FactOrigin {
  /** The id of a provider, or `@slug` for a saved one. */
  readonly provider: string;
  readonly model: string;
  readonly aliases?: readonly string[] | undefined;
  readonly able?: readonly Capability[] | undefined;
  readonly unable?: readonly Capability[] | undefined;
}

/** Everything that is known about a model. */
export interface ModelFacts extends ModelLimits, FactOrigin {
  readonly provider: string;
  readonly model: string;
  /** Other names of the same model at its provider, sorted. */
  readonly aliases: readonly string[];
  readonly capabilities: readonly Capability[];
  /** The capabilities that it is known to lack. All others are unknown. */
  readonly lacks: readonly Capability[];
  /** The origin of each fact. `source` and `asOf` are those of the first source that names the model. */
  readonly from: { readonly [fact: string]: FactOrigin };
}
