import { canonicalJson } from '../json/canonical.ts';
import { type Capability, capabilities } from './capability.ts';
import { type FactOrigin, factSources, type ModelFacts, type ModelLimits, type StatedFacts } from './model-facts.ts';

const limits = ['context', 'output', 'prices', 'deprecated'] as const satisfies readonly (keyof ModelLimits)[];

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Which of two statements counts first: by its source, then the newer one, then one of them whatever the order. */
const byPrecedence = (one: StatedFacts, other: StatedFacts): number =>
  factSources.indexOf(one.source) - factSources.indexOf(other.source) ||
  byText(other.asOf, one.asOf) ||
  byText(canonicalJson(one), canonicalJson(other));

const toOrigin = ({ source, asOf }: StatedFacts): FactOrigin => ({ source, asOf });

/** The statement that says whether a model has a capability, and what it says. */
const findStated = (
  stated: readonly StatedFacts[],
  capability: Capability,
): { readonly isAble: boolean; readonly by: StatedFacts } | undefined => {
  for (const by of stated) {
    if (by.able?.includes(capability)) return { isAble: true, by };
    if (by.unable?.includes(capability)) return { isAble: false, by };
  }
  return undefined;
};

/** All that the statements about one model say, of which there is at least one. */
const joinModel = ([first, ...others]: readonly [StatedFacts, ...StatedFacts[]]): ModelFacts => {
  const stated = [first, ...others];
  const from: { [fact: string]: FactOrigin } = {};
  const values: { -readonly [Name in keyof ModelLimits]: ModelLimits[Name] } = {};
  const take = <Name extends keyof ModelLimits>(name: Name): void => {
    const by = stated.find((each) => each[name] !== undefined);
    if (by === undefined) return;
    values[name] = by[name];
    from[name] = toOrigin(by);
  };
  for (const name of limits) take(name);
  const able: Capability[] = [];
  const lacks: Capability[] = [];
  for (const capability of capabilities) {
    const found = findStated(stated, capability);
    if (found === undefined) continue;
    (found.isAble ? able : lacks).push(capability);
    from[capability] = toOrigin(found.by);
  }
  const { provider, model } = first;
  const aliases = new Set(stated.flatMap((each) => each.aliases ?? []).filter((alias) => alias !== model));
  return {
    ...{ provider, model, aliases: [...aliases].sort(byText), ...values },
    ...{ capabilities: able, lacks, ...toOrigin(first), from },
  };
};

/**
 * Joins what several sources say, in any order: each fact is that of the first source that states it (`factSources`), and of two
 * statements of one source that of the newer. Sorted by provider and model.
 */
export const joinFacts = (stated: readonly StatedFacts[]): readonly ModelFacts[] => {
  const models = new Map<string, [StatedFacts, ...StatedFacts[]]>();
  for (const each of [...stated].sort(byPrecedence)) {
    const key = JSON.stringify([each.provider, each.model]);
    const known = models.get(key);
    if (known === undefined) models.set(key, [each]);
    else known.push(each);
  }
  return [...models.values()]
    .map(joinModel)
    .sort((one, other) => byText(one.provider, other.provider) || byText(one.model, other.model));
};
