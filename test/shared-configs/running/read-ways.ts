import type { Saved } from '../../../schema/config/saved.ts';
import { isSuccess } from '../../../schema/http/status.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../schema/json/pointer.ts';
import type { Asked, Way } from './asked.ts';
import { askedHooks } from './asked-hooks.ts';

/** The place of a part in a config, and what it inherits. */
interface Place {
  readonly around: Asked;
  readonly path: JsonPointer;
  readonly saved: Saved;
}

const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

const codesIn = (value: Json | undefined): readonly number[] | undefined =>
  Array.isArray(value) ? value.filter((code) => typeof code === 'number') : undefined;

/** Without its own status codes, a retry applies only to statuses that no check produces. */
const findRetry = ({ retry }: JsonObject): Asked['retry'] | undefined =>
  isJsonObject(retry) ? { attempts: Number(retry.attempts ?? 0), on: codesIn(retry.on_status_codes) ?? [] } : undefined;

/** A setting of a part replaces the whole inherited setting. */
const askedAt = (part: JsonObject, { around, saved }: Place): Asked => ({
  ...around,
  ...(isJsonObject(part.cache) ? { cache: String(part.cache.mode) } : {}),
  retry: findRetry(part) ?? around.retry,
  input: askedHooks(part, 'input', saved) ?? around.input,
  output: askedHooks(part, 'output', saved) ?? around.output,
});

/** Returns body members for which a query is true. */
const paramsFor = (query: Json | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(isJsonObject(query) ? query : {}).map(([path, test]) => {
      const [, name] = /^params\.(\w+)$/.exec(path) ?? [];
      const [[operator = '', value] = []] = Object.entries(isJsonObject(test) ? test : {});
      if (name === undefined || value === undefined || !['$eq', '$gte', '$lte'].includes(operator))
        throw new Error(`No request is known for which ${JSON.stringify(query)} holds.`);
      return [name, value];
    }),
  );

type Branches = readonly (readonly Way[])[];

const balanced = (targets: readonly JsonObject[], branches: Branches, path: JsonPointer): readonly Way[] =>
  branches.flatMap((ways, index) =>
    targets[index]?.weight === 0
      ? []
      : ways.map((way) => ({
          ...way,
          title: `${way.title}, target ${index + 1}`,
          draws: new Map([...way.draws, [path, index]]),
        })),
  );

const chosen = (part: JsonObject, targets: readonly JsonObject[], branches: Branches): readonly Way[] => {
  const waysTo = (name: Json | undefined): readonly Way[] =>
    branches[targets.findIndex((target) => target.name === name)] ?? [];
  const byQuery = objectsIn(part.conditions).flatMap(({ query, then }) => {
    const params = paramsFor(query);
    const title = `, ${JSON.stringify(params)}`;
    return waysTo(then).map((way) => ({ ...way, title: title + way.title, params: { ...way.params, ...params } }));
  });
  return [...byQuery, ...waysTo(part.default).map((way) => ({ ...way, title: `, otherwise${way.title}` }))];
};

const tried = (codes: readonly number[] | undefined, branches: Branches): readonly Way[] => {
  const [first, ...others] = branches.flat();
  if (first === undefined || others.length + 1 !== branches.length)
    throw new Error('Of a fallback to groups it is not known which targets are tried.');
  const goesOnAfter = (status: number): boolean => codes?.includes(status) ?? !isSuccess(status);
  const tries = [first, ...others].flatMap((way) => way.tries);
  return [{ ...first, tries: tries.map((each) => ({ ...each, goesOnAfter })) }];
};

const waysIn = (part: JsonObject, place: Place): readonly Way[] => {
  const asked = askedAt(part, place);
  const targets = objectsIn(part.targets);
  if (targets.length === 0)
    return [{ title: '', params: {}, draws: new Map(), tries: [{ asked, goesOnAfter: () => false }] }];
  const branches = targets.map((target, index) =>
    waysIn(target, { ...place, around: asked, path: childPointer(place.path, 'targets', index) }),
  );
  const strategy = isJsonObject(part.strategy) ? part.strategy : {};
  switch (strategy.mode) {
    case 'single':
      return branches[0] ?? [];
    case 'loadbalance':
      return balanced(targets, branches, place.path);
    case 'conditional':
      return chosen(strategy, targets, branches);
    case 'fallback':
      return tried(codesIn(strategy.on_status_codes) ?? codesIn(part.on_status_codes), branches);
    default:
      throw new Error(`There is no strategy ${JSON.stringify(strategy.mode)}.`);
  }
};

/** Returns every path through a config, read from its text as its author would read it. */
export const readWays = (config: JsonObject, saved: Saved): readonly Way[] =>
  waysIn(config, { around: { retry: { attempts: 0, on: [] }, input: [], output: [] }, path: rootPointer, saved });
