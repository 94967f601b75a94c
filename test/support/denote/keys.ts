import type { JsonObject } from '../../../schema/json/json.ts';
import { andThen, type Chances, certain, oneOf } from './chances.ts';
import type { Cooling, World } from './world.ts';

/** A key of a leaf: its index, its identity in all pools with the same first key, and its weight. */
interface Key {
  readonly index: number;
  readonly name: string;
  readonly weight: number;
}

/** Returns the keys of a leaf. Empty if it does not have several. */
export const readKeys = (settings: JsonObject): readonly Key[] => {
  const keys = (settings.keys ?? []) as readonly JsonObject[];
  return keys.map(({ api_key: key, weight = 1 }, index) => ({
    index,
    name: `${keys[0]?.api_key}: ${key}`,
    weight: Number(weight),
  }));
};

/** Returns the identity of a leaf, which depends on no key but the first. */
export const withFirstKeyOnly = (settings: JsonObject): JsonObject => {
  const [first] = (settings.keys ?? []) as readonly JsonObject[];
  return first === undefined ? settings : { ...settings, keys: String(first.api_key) };
};

interface KeyAnswer {
  readonly status: number;
  readonly origin: string;
  /** The wait that the answer requests. */
  readonly askedMs: number | undefined;
}

const failures: Readonly<Record<number, 'limited' | 'spent' | 'refused'>> = {
  401: 'refused',
  402: 'spent',
  403: 'refused',
  429: 'limited',
};
const firstMs = { limited: 10_000, spent: 300_000, refused: 60_000 } as const;

const isOut = (world: World, { name }: Key): boolean => (world.coolings[name]?.until ?? 0) > world.now;

const cooled = (world: World, key: Key, { status, askedMs }: KeyAnswer): World => {
  const failure = failures[status] ?? 'limited';
  const before = world.coolings[key.name];
  const out = isOut(world, key);
  const strikes = before === undefined ? 0 : out ? before.strikes : before.strikes + 1;
  const grown = failure === 'limited' ? firstMs.limited : firstMs[failure] * 2 ** strikes;
  const ms = Math.min(failure === 'limited' ? (askedMs ?? grown) : grown, 3_600_000);
  const cooling: Cooling =
    before !== undefined && out
      ? { ...before, until: Math.max(before.until, world.now + ms) }
      : { since: world.now, until: world.now + ms, strikes };
  return { ...world, coolings: { ...world.coolings, [key.name]: cooling } };
};

const works = (world: World, { name }: Key, sentAt: number): World => {
  const { [name]: cooling, ...others } = world.coolings;
  return cooling === undefined || cooling.since > sentAt ? world : { ...world, coolings: others };
};

const able = (world: World, keys: readonly Key[], tried: readonly number[]): readonly Key[] =>
  keys.filter((key) => key.weight > 0 && !isOut(world, key) && !tried.includes(key.index));

const drawn = (keys: readonly Key[]): Chances<Key> =>
  oneOf(keys.map((key) => [BigInt(Math.round(key.weight * 1000)), key] as const));

const soonest = (world: World, keys: readonly Key[]): Key => {
  const until = ({ name }: Key): number => world.coolings[name]?.until ?? 0;
  const [first] = keys.filter(({ weight }) => weight > 0).sort((a, b) => until(a) - until(b) || a.index - b.index);
  if (first === undefined) throw new Error('A key has a weight.');
  return first;
};

/**
 * The result of an attempt, with the number of calls that it took. `isOfKey`: the failure concerns its key, and other keys are
 * usable.
 */
export interface KeyedAttempt<Answer> {
  readonly world: World;
  readonly answer: Answer;
  readonly calls: number;
  readonly isOfKey: boolean;
}

interface Calling<Answer> {
  readonly keys: readonly Key[];
  readonly deadlineAt: number;
  readonly call: (world: World, key: number | undefined, nth: number) => readonly [World, Answer];
  readonly read: (answer: Answer, world: World) => KeyAnswer;
}

/** Makes an attempt of a leaf, with up to two more keys immediately after the first. */
export const withKeys = <Answer>(world: World, calling: Calling<Answer>): Chances<KeyedAttempt<Answer>> => {
  const { keys, deadlineAt, call, read } = calling;
  if (keys.length === 0) {
    const [after, answer] = call(world, undefined, 1);
    return certain({ world: after, answer, calls: 1, isOfKey: false });
  }
  const tryOne = (before: World, key: Key, tried: readonly number[]): Chances<KeyedAttempt<Answer>> => {
    const calls = tried.length + 1;
    const [after, answer] = call(before, key.index, calls);
    const said = read(answer, after);
    if (said.origin !== 'upstream' || failures[said.status] === undefined) {
      const isGood = said.origin === 'check' || (said.origin === 'upstream' && said.status >= 200 && said.status < 300);
      return certain({ world: isGood ? works(after, key, before.now) : after, answer, calls, isOfKey: false });
    }
    const cold = cooled(after, key, said);
    const others = able(cold, keys, [...tried, key.index]);
    if (calls === 3 || others.length === 0 || cold.now >= deadlineAt)
      return certain({ world: cold, answer, calls, isOfKey: able(cold, keys, []).length > 0 });
    return andThen(drawn(others), (next) => tryOne(cold, next, [...tried, key.index]));
  };
  const first = able(world, keys, []);
  return andThen(first.length > 0 ? drawn(first) : certain(soonest(world, keys)), (key) => tryOne(world, key, []));
};
