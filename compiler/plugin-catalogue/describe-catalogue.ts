import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import type { Guardrail } from '../../plugins/sdk/guardrail/guardrail.ts';
import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { Json, JsonObject } from '../../schema/json/json.ts';
import { type CatalogueData, functionMark } from './catalogue-data.ts';

/** The members of a dialect that the compiler reads. */
const dialectMembers = [
  ...(['id', 'operation', 'routes', 'siblings', 'roots', 'passesThrough', 'place', 'inForm'] as const),
  ...(['conversation', 'conversationClient'] as const),
] satisfies readonly (keyof Dialect)[];

const toJson = (value: unknown): Json | undefined => {
  if (typeof value === 'function') return { [functionMark]: true };
  if (Array.isArray(value)) return value.map((item) => toJson(item) ?? null);
  if (typeof value === 'object' && value !== null) {
    // A pattern cannot be written as JSON.
    if (Object.getPrototypeOf(value) === RegExp.prototype) return undefined;
    const members: [string, Json][] = [];
    // The facts of a provider that is loaded late are in its prototype.
    for (const name in value) {
      const member = toJson(Reflect.get(value, name));
      if (member !== undefined) members.push([name, member]);
    }
    return Object.fromEntries(members);
  }
  return value === undefined || typeof value === 'bigint' || typeof value === 'symbol' ? undefined : (value as Json);
};

// An object is written as an object.
const toData = (thing: object): JsonObject => toJson(thing) as JsonObject;

const each = <Thing extends object>(
  things: ReadonlyMap<string, Thing>,
  pick: (thing: Thing) => object,
): readonly JsonObject[] => [...new Set(things.values())].map((thing) => toData(pick(thing)));

const dialectFacts = (dialect: Dialect): object =>
  Object.fromEntries(dialectMembers.map((member) => [member, dialect[member]]));

/** Returns the members of a check that exist without its code, and those that only its code answers. */
const checkFacts = ({ load: _, create: __, ...check }: Guardrail): object => check;

const providerFacts = (provider: Provider): object => provider;

/**
 * Describes everything that plugins provide as JSON, for a compiler that has none of their code: `createEditor` of
 * `gatewright/editor`. Loads the code of all checks for it. Rejects if code cannot be loaded.
 */
export const describeCatalogue = async (catalogue: Catalogue): Promise<CatalogueData> => {
  const checks = new Map(
    await Promise.all(
      [...catalogue.checks].map(async ([name, check]) => [name, (await check.load?.()) ?? check] as const),
    ),
  );
  return {
    providers: each(catalogue.providers, providerFacts),
    dialects: each(catalogue.dialects, dialectFacts),
    checks: each(checks, checkFacts),
    caches: each(catalogue.caches, ({ mode }) => ({ mode })),
    choosers: each(catalogue.choosers, ({ id, description, readsPrices }) => ({ id, description, readsPrices })),
    sinks: each(catalogue.sinks, ({ id }) => ({ id })),
  };
};
