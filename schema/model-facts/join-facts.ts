import { canonicalJson } from '../json/canonical.ts';
import { type Capability, capabilities } from './capability.ts';
import { type FactOrigin, factSources, type ModelFacts, type ModelLimits, type StatedFacts } from './model-facts.ts';

const limits = ['context', 'output', 'prices', 'deprecated'] as const satisfies readonly (keyof ModelLimits)[];

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Compares two statements by which of them counts first: by its source, then the newer one, then one of them whatever the order. */
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

/** All that the statements about one model say, by precedence, of which there is at least one. */
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
  const names = new Set(stated.flatMap((each) => [each.model, ...(each.aliases ?? [])]));
  names.delete(model);
  return {
    ...{ provider, model, aliases: [...names].sort(byText), ...values },
    ...{ capabilities: able, lacks, ...toOrigin(first), from },
  };
};

/** Names of the same thing, as far as they were joined. */
class JoinedNames {
  readonly #next = new Map<string, string>();

  /** One of the names, the same for all that are joined. */
  find(name: string): string {
    let found = name;
    for (let next = this.#next.get(found); next !== undefined; next = this.#next.get(found)) found = next;
    if (found !== name) this.#next.set(name, found);
    return found;
  }

  join(one: string, other: string): void {
    const [from, to] = [this.find(one), this.find(other)];
    if (from !== to) this.#next.set(from, to);
  }
}

const toKey = (provider: string, name: string): string => JSON.stringify([provider, name]);

/**
 * Joins what several sources say, in any order: each fact is that of the first source that states it (`factSources`), and of two
 * statements of one source that of the newer. A model is named as the first source names it; what any source calls an alias is
 * the same model. Sorted by provider and model.
 */
export const joinFacts = (stated: readonly StatedFacts[]): readonly ModelFacts[] => {
  const names = new JoinedNames();
  for (const { provider, model, aliases = [] } of stated)
    for (const alias of aliases) names.join(toKey(provider, alias), toKey(provider, model));
  const models = new Map<string, [StatedFacts, ...StatedFacts[]]>();
  for (const each of [...stated].sort(byPrecedence)) {
    const key = names.find(toKey(each.provider, each.model));
    const known = models.get(key);
    if (known === undefined) models.set(key, [each]);
    else known.push(each);
  }
  return [...models.values()]
    .map(joinModel)
    .sort((one, other) => byText(one.provider, other.provider) || byText(one.model, other.model));
};
