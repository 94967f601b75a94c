import type { Capability } from '../../../schema/model-facts/capability.ts';
import type { StatedFacts } from '../../../schema/model-facts/model-facts.ts';

/** The context and the longest answer of a model, in tokens; null if not confirmed. */
type Limits = readonly [context: number | null, output?: number | null];

/** Models of one provider that have the same capabilities. */
interface ModelFamily {
  readonly able: readonly Capability[];
  readonly models: { readonly [model: string]: Limits };
}

/** The facts of a provider's models that its documentation states, as of a certain day. Unconfirmed facts are absent. */
export interface StatedModels {
  readonly provider: string;
  /** The vendor's page about its models. */
  readonly documentation: string;
  readonly asOf: string;
  readonly families: readonly ModelFamily[];
  /** Further names, by the model that they always refer to. */
  readonly aliases?: { readonly [model: string]: readonly string[] };
  /** The days from which models may be refused. */
  readonly deprecated?: { readonly [model: string]: string };
  /** The same days for models that configs may still name, and for which nothing else is stated. */
  readonly retired?: { readonly [model: string]: string };
}

const retiredFacts = ({ provider, asOf, retired = {} }: StatedModels): readonly StatedFacts[] =>
  Object.entries(retired).map(([model, deprecated]) => ({ provider, model, source: 'row', asOf, deprecated }));

/** Converts a table to statements, one for each model. */
export const toStatedFacts = (stated: StatedModels): readonly StatedFacts[] => {
  const { provider, asOf, families, aliases = {}, deprecated = {} } = stated;
  const listed = families.flatMap(({ able, models }) =>
    Object.entries(models).map(([model, [context, output]]) => ({
      ...{ provider, model, able, source: 'row' as const, asOf },
      context: context ?? undefined,
      output: output ?? undefined,
      aliases: aliases[model],
      deprecated: deprecated[model],
    })),
  );
  return [...listed, ...retiredFacts(stated)];
};
