import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { Draft } from '../draft/draft.ts';
import type { SourceObject } from '../draft/read-source.ts';

/** The members that can state the share of a deployment. A limit is a share too, and is noted as a lost limit. */
const units = ['weight', 'rpm', 'tpm'] as const;

type Unit = (typeof units)[number];

/** A deployment of a model, with the shares that it states. */
export interface Shares {
  readonly model: string;
  readonly order: number;
  readonly pointer: JsonPointer;
  readonly stated: { readonly [unit in Unit]: number | undefined };
}

/** Reads the shares of a deployment. The member by which it is drawn counts as read. */
export const readShares = (params: SourceObject, place: Omit<Shares, 'stated'>): Shares => {
  const limit = (unit: Unit): number | undefined => {
    const value = params.peek(unit);
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  };
  return { ...place, stated: { weight: params.number('weight'), rpm: limit('rpm'), tpm: limit('tpm') } };
};

/** Deployments that are drawn from at one step. */
const steps = (all: readonly Shares[]): readonly (readonly Shares[])[] => [
  ...Map.groupBy(all, ({ model, order }) => JSON.stringify([model, order])).values(),
];

/** Returns the unit of a step: the first that its first deployment states (`router_strategy/simple_shuffle.py` of LiteLLM). */
const unitOf = ([first]: readonly Shares[]): Unit | undefined =>
  units.find((unit) => first?.stated[unit] !== undefined);

/**
 * Returns the weight of each deployment: its share in the unit of its step, 0 if it states none, and the same for all if there is
 * no unit.
 */
export const toWeights = (all: readonly Shares[]): ReadonlyMap<Shares, number> =>
  new Map(
    steps(all).flatMap((step) => {
      const unit = unitOf(step);
      return step.map((each) => [each, unit === undefined ? 1 : (each.stated[unit] ?? 0)] as const);
    }),
  );

const inEach = 'For other shares, write a "weight" for each of them in the config.';

/** Notes the deployments that are not drawn, and the shares that are ignored; both are the same in LiteLLM. */
export const loseShares = (draft: Draft, all: readonly Shares[]): void => {
  for (const step of steps(all)) {
    const unit = unitOf(step);
    const before = unit === undefined ? units : units.slice(0, units.indexOf(unit));
    const { model = '' } = step[0] ?? {};
    const taken =
      unit === undefined
        ? `The first deployment of "${model}" states no weight, rpm or tpm, so LiteLLM draws all of them equally`
        : `LiteLLM draws "${model}" by "${unit}", which is what its first deployment states`;
    for (const { pointer, stated } of step) {
      const ignored = before.filter((each) => stated[each] !== undefined).map((each) => `"${each}"`);
      const isDrawn = unit === undefined || stated[unit] !== undefined;
      if (!isDrawn)
        draft.lose(
          pointer,
          `${taken}, and this one has no "${unit}": its weight is 0, and only a retry calls it.`,
          inEach,
        );
      else if (ignored.length > 0)
        draft.lose(
          pointer,
          `${taken}: ${ignored.join(' and ')} of this one is not a share, neither here nor there.`,
          inEach,
        );
    }
  }
};
