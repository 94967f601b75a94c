/** A model that a request names. */
export interface NamedModel {
  readonly model: string;
  /** Where, as in "it names "m" in its path". */
  readonly place: string;
  /** How deep in a body. */
  readonly depth?: number;
}

/** The models that one part of a request names. */
export interface FoundModels {
  /** The models that it calls itself. */
  readonly called: readonly NamedModel[];
  /** The models that are called on its behalf, as by a tool that makes pictures. */
  readonly further: readonly NamedModel[];
  /** Why another reader could find another model, as the end of a sentence. */
  readonly unclear?: string;
}

/** The models that a request names. */
export type NamedModels =
  | { readonly kind: 'none' }
  | { readonly kind: 'named'; readonly model: string; readonly further: readonly string[] }
  | { readonly kind: 'unclear'; readonly reason: string };

export const noModels: FoundModels = { called: [], further: [] };

const longestShown = 100;

/** The name of a model as errors show it, which is cut. */
export const shownModel = (model: string): string => model.slice(0, longestShown);

const shown = ({ model, place }: NamedModel): string => `${JSON.stringify(shownModel(model))} ${place}`;

/** Makers whose models Google's cloud names without their maker in bodies. */
export const namedMakers: ReadonlySet<string> = new Set(['google', 'anthropic', 'mistralai']);

/** Collections that providers write before the names of their own models, and accept without. */
const collection = new RegExp(
  `^(?:models/|publishers/(?:${[...namedMakers].join('|')})/models/|accounts/fireworks/models/)`,
);

/** A model's name without the collection that it may be written with. */
export const bareModel = (model: string): string => model.replace(collection, '');

/** The name that a provider of its own models alone has for one which is written with more before it, or in upper case. */
export const findOwnModel = (
  model: string,
  { models = [] }: { readonly models?: readonly string[] },
): string | undefined => {
  const owns = (name: string): boolean => models.some((start) => name.startsWith(start));
  const plain = model.replace(/^.*\//, '').toLowerCase();
  return !owns(model) && owns(plain) ? plain : undefined;
};

/** Where nothing at the top of a body names a model, the one that is least deep is what is called: `session.model`. */
const topmost = (below: readonly NamedModel[]): Pick<FoundModels, 'called' | 'further'> => {
  const min = below.reduce((depth, each) => Math.min(depth, each.depth ?? 0), Number.POSITIVE_INFINITY);
  return {
    called: below.filter(({ depth = 0 }) => depth === min),
    further: below.filter(({ depth = 0 }) => depth !== min),
  };
};

/** Joins what the parts of a request say: it calls one model, whichever way it names it. */
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
