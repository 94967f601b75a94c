/** A model that a request names. */
export interface NamedModel {
  readonly model: string;
  /** The place in words, as in "it names "m" in its path". */
  readonly place: string;
  /** The depth in a body. */
  readonly depth?: number;
}

/** The models that one part of a request names. */
export interface FoundModels {
  /** The models that the request itself calls. */
  readonly called: readonly NamedModel[];
  /** The models that are called on its behalf, for example by a tool that generates images. */
  readonly further: readonly NamedModel[];
  /** Why another parser might find another model, as the end of a sentence. */
  readonly unclear?: string;
}

/** The models that a request names. */
export type NamedModels =
  | { readonly kind: 'none' }
  | { readonly kind: 'named'; readonly model: string; readonly further: readonly string[] }
  | { readonly kind: 'unclear'; readonly reason: string };

export const noModels: FoundModels = { called: [], further: [] };

const longestShown = 100;

/** Returns the name of a model as shown in errors, truncated. */
export const shownModel = (model: string): string => model.slice(0, longestShown);

const shown = ({ model, place }: NamedModel): string => `${JSON.stringify(shownModel(model))} ${place}`;

/** Makers whose models have no maker prefix in bodies for Google's cloud. */
export const namedMakers: ReadonlySet<string> = new Set(['google', 'anthropic', 'mistralai']);

/** Collections that providers write before the names of their own models, and that are optional in requests. */
const collection = new RegExp(
  `^(?:models/|publishers/(?:${[...namedMakers].join('|')})/models/|accounts/fireworks/models/)`,
);

/** Returns a model's name without its collection. */
export const bareModel = (model: string): string => model.replace(collection, '');

/**
 * Returns the provider's own name of a model that may be written with a prefix or in upper case, for a provider that serves only
 * its own models.
 */
export const findOwnModel = (
  model: string,
  { models = [] }: { readonly models?: readonly string[] },
): string | undefined => {
  const owns = (name: string): boolean => models.some((start) => name.startsWith(start));
  const plain = model.replace(/^.*\//, '').toLowerCase();
  return !owns(model) && owns(plain) ? plain : undefined;
};

/** If nothing at the top level of a body names a model, the least nested name is the one that is called: `session.model`. */
const topmost = (below: readonly NamedModel[]): Pick<FoundModels, 'called' | 'further'> => {
  const min = below.reduce((depth, each) => Math.min(depth, each.depth ?? 0), Number.POSITIVE_INFINITY);
  return {
    called: below.filter(({ depth = 0 }) => depth === min),
    further: below.filter(({ depth = 0 }) => depth !== min),
  };
};

/** Joins the models found in the parts of a request. A request calls one model, however it names it. */
export const joinModels = (parts: readonly FoundModels[]): NamedModels => {
  for (const { unclear } of parts) if (unclear !== undefined) return { kind: 'unclear', reason: unclear };
  const named = parts.flatMap(({ called }) => called);
  const below = parts.flatMap((each) => each.further);
  const { called, further } = named.length > 0 ? { called: named, further: below } : topmost(below);
  const [first] = called;
  if (first === undefined) return { kind: 'none' };
  const other = called.find(({ model }) => bareModel(model) !== bareModel(first.model));
  if (other !== undefined) return { kind: 'unclear', reason: `it names ${shown(first)} and ${shown(other)}.` };
  return { kind: 'named', model: first.model, further: [...new Set(further.map(({ model }) => model))] };
};
