import { canonicalJson } from '../json/canonical.ts';
import { type Capability, capabilities } from './capability.ts';
import { type FactOrigin, factSources, type ModelFacts, type ModelLimits, type StatedFacts } from './model-facts.ts';

const limits = ['context', 'output', 'prices', 'deprecated'] as const satisfies readonly (keyof ModelLimits)[];

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/**
 * Compares two statements by precedence: by source, then the newer one first, then in an order that does not depend on their
 * input order.
 */
const byPrecedence = (one: StatedFacts, other: StatedFacts): number =>
  factSources.indexOf(one.source) - factSources.indexOf(other.source) ||
  byText(other.asOf, one.asOf) ||
  byText(canonicalJson(one), canonicalJson(other));

const toOrigin = ({ source, asOf }: StatedFacts): FactOrigin => ({ source, asOf });

/** Finds the statement that says whether a model has a capability, and what it says. */
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

/** Joins the statements about one model, which are sorted by precedence. There is at least one. */
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

/** Sets of names that stand for the same thing. */
class JoinedNames {
  readonly #next = new Map<string, string>();

  /** Returns the name that represents all names that are joined with this one. */
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
 * Joins the statements of several sources, in any order. Each fact comes from the first source in `factSources` that states it,
 * or from the newer of two statements of one source. A model has the name that the first source uses, and a name that any source
 * calls an alias is the same model. The result is sorted by provider and model.
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
