import type { CacheDefinition } from '../../plugins/sdk/cache/cache.ts';
import type { ChooserDefinition } from '../../plugins/sdk/chooser/chooser.ts';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { type Guardrail, guardrailNames } from '../../plugins/sdk/guardrail/guardrail.ts';
import { wholeParameters } from '../../plugins/sdk/guardrail/guardrail-parameters.ts';
import { canValidate } from '../../plugins/sdk/parameters/compile-schema.ts';
import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { LogSink } from '../../plugins/sdk/sink/sink.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { type CatalogueData, functionMark } from './catalogue-data.ts';

/** Called with each question that only code can answer, such as `check acme.tone`. */
export type OnUnanswered = (what: string) => void;

/** The answers that report nothing wrong, by member. A function without an answer here throws. */
const defaultAnswers: { readonly [member: string]: (...given: never[]) => unknown } = {
  faults: () => [],
  parts: () => undefined,
  rewrites: () => false,
  retries: () => false,
  timeoutMs: () => undefined,
  baseUrl: () => 'https://provider.invalid',
  dialectsOf: () => undefined,
  settingsModels: () => [],
  usesMachineIdentity: () => true,
  drop: () => [],
};

/** Restores the functions in data that was created from an object. */
const restored = (value: Json, member: string, note: () => void): unknown => {
  if (Array.isArray(value)) return value.map((item) => restored(item, member, note));
  if (!isJsonObject(value)) return value;
  if (value[functionMark] === true)
    return (...given: never[]) => {
      note();
      const answer = defaultAnswers[member];
      if (answer === undefined) throw new Error(`"${member}" can only be asked where its code is.`);
      return answer(...given);
    };
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, restored(inside, name, note)]));
};

const restoredAll = <Thing>(things: readonly JsonObject[], what: string, note: OnUnanswered): readonly Thing[] =>
  things.map((thing) => restored(thing, '', () => note(`${what} ${String(thing.id ?? thing.mode)}`)) as Thing);

const named = <Thing>(
  things: readonly Thing[],
  namesOf: (thing: Thing) => readonly string[],
): ReadonlyMap<string, Thing> =>
  new Map(things.flatMap((thing) => namesOf(thing).map((name) => [name, thing] as const)));

/** Wraps a check so that its use is noted if nothing here can validate its parameters. */
const withNote = (check: Guardrail, note: OnUnanswered): Guardrail => {
  const { parameters } = check;
  if (canValidate(wholeParameters(parameters))) return check;
  return Object.defineProperty({ ...check }, 'parameters', {
    enumerable: true,
    get: () => {
      note(`check ${check.id}`);
      return parameters;
    },
  });
};

/**
 * Creates a catalogue from its description. Questions that only the code of a plugin can answer are noted, and answered as if
 * nothing were wrong.
 */
export const restoreCatalogue = (data: CatalogueData, note: OnUnanswered): Catalogue => {
  const checks = restoredAll<Guardrail>(data.checks, 'check', note).map((check) => withNote(check, note));
  return {
    providers: named(restoredAll<Provider>(data.providers, 'provider', note), ({ id, aliases = [] }) => [
      id,
      ...aliases,
    ]),
    dialects: named(restoredAll<Dialect>(data.dialects, 'dialect', note), ({ id }) => [id]),
    checks: named(checks, guardrailNames),
    caches: named(restoredAll<CacheDefinition>(data.caches, 'cache', note), ({ mode }) => [mode]),
    choosers: named(restoredAll<ChooserDefinition>(data.choosers, 'balance', note), ({ id }) => [id]),
    sinks: named(restoredAll<LogSink>(data.sinks, 'sink', note), ({ id }) => [id]),
  };
};
