/**
 * Computes the meaning of a config directly from its JSON: a small, slow implementation that is independent of the compiler,
 * which it verifies. Every target without targets of its own must have a unique name. See `compiler/semantics/meaning.ts` for the
 * order of events. Events of groups are left out here, because a compiler may change the shape of groups.
 */

import type { JsonObject } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../schema/json/pointer.ts';
import { isAvailable } from '../../../schema/plan/circuits/circuit.ts';
import { andThen, type Chances, certain, type Fraction, oneOf, plus, printed } from './chances.ts';
import { holds } from './holds.ts';
import { type Leaf, listMet, type Situation, toCircuit, visitLeaf } from './leaf.ts';
import { copiedSettings, readSettings } from './settings.ts';
import { type Answer, type Delivered, newWorld, type Scene, type Visit, type World } from './world.ts';

/** An object in a config, with its place and what it inherits. */
interface Place {
  readonly config: JsonObject;
  readonly path: JsonPointer;
  readonly inherited: JsonObject;
}

const toStrategy = ({ config }: Place): JsonObject => (config.strategy ?? {}) as JsonObject;

const toTargets = ({ config, path, inherited }: Place): readonly Place[] =>
  ((config.targets ?? []) as readonly JsonObject[]).map((target, index) => ({
    config: target,
    path: childPointer(path, 'targets', index),
    inherited: readSettings(config, inherited),
  }));

const toWeight = ({ config }: Place): number => (config.weight === undefined ? 1 : Number(config.weight));

/** Converts decimal weights of at most three digits to whole numbers in the same ratio. */
const wholeWeight = (place: Place): bigint => BigInt(Math.round(toWeight(place) * 1000));

const leafAt = ({ config, path, inherited }: Place): Leaf => {
  const { provider, api_key, virtual_key, keys, accounts } = config;
  const pool = { ...(keys && { keys }), ...(accounts === 'several' && { accounts }) };
  const own = {
    ...pool,
    ...(provider && { provider }),
    ...(api_key && { api_key }),
    ...(virtual_key && { virtual_key }),
  };
  return { id: String(config.name), path, settings: { ...readSettings(config, inherited), ...own } };
};

/** Returns the target that a conditional chooses. */
const chosen = (place: Place, { facts }: Situation): Place => {
  const { conditions, default: otherwise } = toStrategy(place);
  const first = (conditions as readonly JsonObject[]).find(({ query }) => holds(query as JsonObject, facts));
  const name = first === undefined ? otherwise : first.then;
  const target = toTargets(place).find(({ config }) => config.name === name);
  if (target === undefined) throw new Error(`There is no target ${name}.`);
  return target;
};

/** Whether a group prefers a target now. A leaf's first answer applies to the whole request. */
const look = (world: World, place: Place, situation: Situation): readonly [World, boolean] => {
  switch (toStrategy(place).mode) {
    case 'single':
      return look(world, toTargets(place)[0] ?? place, situation);
    case 'conditional':
      return look(world, chosen(place, situation), situation);
    case 'loadbalance':
    case 'fallback': {
      const able = ableTargets(place, situation);
      // Such a group produces no answer from a target.
      if (able.length === 0) return [world, true];
      const [after, available] = lookAll(world, able, situation);
      return [after, available.includes(true)];
    }
    default: {
      const leaf = leafAt(place);
      const said = world.looked[leaf.path];
      if (said !== undefined) return [world, said];
      const says = listMet(leaf, situation).every((met) => isAvailable(toCircuit(world, met), world.now));
      return [{ ...world, looked: { ...world.looked, [leaf.path]: says } }, says];
    }
  }
};

const lookAll = (world: World, places: readonly Place[], situation: Situation): readonly [World, readonly boolean[]] =>
  places.reduce<readonly [World, readonly boolean[]]>(
    ([before, said], place) => {
      const [after, says] = look(before, place, situation);
      return [after, [...said, says]];
    },
    [world, []],
  );

/** Returns the targets that a group could use. */
const candidates = (place: Place): readonly Place[] =>
  toStrategy(place).mode === 'loadbalance'
    ? toTargets(place).filter((target) => toWeight(target) > 0)
    : toTargets(place);

/** Whether a target or one reachable below it can serve the request. */
const isAble = (place: Place, situation: Situation): boolean => {
  switch (toStrategy(place).mode) {
    case 'single':
      return isAble(toTargets(place)[0] ?? place, situation);
    case 'conditional':
      return isAble(chosen(place, situation), situation);
    case 'loadbalance':
    case 'fallback':
      return candidates(place).some((target) => isAble(target, situation));
    default:
      return !situation.unable.includes(leafAt(place).id);
  }
};

/** Returns the targets that the group may use: only the able ones, if it requires that. */
const ableTargets = (place: Place, situation: Situation): readonly Place[] =>
  toStrategy(place).require === undefined
    ? candidates(place)
    : candidates(place).filter((target) => isAble(target, situation));

/** Returns the targets that the group uses: the available ones, or all if none is available. */
const usable = (world: World, place: Place, situation: Situation): readonly [World, readonly Place[]] => {
  const all = ableTargets(place, situation);
  const [after, available] = lookAll(world, all, situation);
  return [after, available.includes(true) ? all.filter((_, index) => available[index]) : all];
};

const goesOn = (place: Place): ((status: number) => boolean) => {
  const codes = toStrategy(place).on_status_codes ?? place.config.on_status_codes;
  return (status) => (Array.isArray(codes) ? codes.includes(status) : status < 200 || status > 299);
};

const fallThrough = (
  world: World,
  [first, ...others]: readonly Place[],
  group: Place,
  situation: Situation,
): Chances<Visit> => {
  if (first === undefined) throw new Error('A fallback has targets.');
  return andThen(visit(world, first, situation), (visited) => {
    const { world: after, answer } = visited;
    const isOver = after.now >= situation.deadlineAt;
    if (isOver || others.length === 0 || !goesOn(group)(answer.status))
      return certain({ world: after, answer: goingOn(answer, others, group, situation) });
    return fallThrough(answer.stream?.discarded(after) ?? after, others, group, situation);
  });
};

/** Returns the answer. If the group continues streams, the other targets continue its stream if it breaks. */
const goingOn = (answer: Answer, others: readonly Place[], group: Place, situation: Situation): Answer => {
  const { stream } = answer;
  const triggers = goesOn(group);
  if (stream === undefined || toStrategy(group).continue !== true || !triggers(502)) return answer;
  const askNext = (world: World, [next, ...rest]: readonly Place[]): Chances<Delivered> => {
    if (next === undefined) return certain({ world, broken: true });
    return andThen(visit(world, next, { ...situation, goesOn: true }), ({ world: after, answer: second }) => {
      if (second.declined === true) return askNext(after, rest);
      if (second.stream === undefined) return certain({ world: after, broken: true });
      if (triggers(second.status)) return certain({ world: second.stream.discarded(after), broken: true });
      return andThen(second.stream.delivered(after), ({ world: last, broken }) =>
        broken ? askNext(last, rest) : certain({ world: last, broken }),
      );
    });
  };
  const delivered = (world: World): Chances<Delivered> =>
    andThen(stream.delivered(world), ({ world: after, broken }) =>
      broken ? askNext(after, others) : certain({ world: after, broken }),
    );
  return { ...answer, stream: { ...stream, delivered } };
};

/** The answer of a group that may use none of its targets. */
const refused = (world: World, { path }: Place): Chances<Visit> =>
  certain({ world, answer: { status: 422, origin: 'gateway', path, retries: 0 } });

/** Sends a copy, which counts as a call of its target and has no other effect on the request. */
const sendCopy = (visited: Visit, { config, path, inherited }: Place, situation: Situation): Chances<Visit> => {
  const { world } = visited;
  const leaf = leafAt({
    config: ((config.mirror ?? {}) as JsonObject).target as JsonObject,
    path: childPointer(path, 'mirror', 'target'),
    inherited: copiedSettings(readSettings(config, inherited)),
  });
  const beside = { ...world, calls: [], waits: [], trail: [] };
  const outside = { ...situation, deadlineAt: Number.POSITIVE_INFINITY };
  return andThen(visitLeaf(beside, leaf, outside), ({ world: { counts }, answer: { status, origin } }) => {
    const trail = [...world.trail, { kind: 'mirrored', path, target: leaf.id } as const];
    const mirrors = [...world.mirrors, { path, target: leaf.id, status, origin }];
    return certain({ ...visited, world: { ...world, counts, trail, mirrors } });
  });
};

const isDenial = (event: World['trail'][number]): boolean =>
  event.kind === 'checked' && event.phase === 'input' && event.result === 'denied';

/** Of a hundred requests that reached a target and that no input check denied, this many are copied. */
const visit = (world: World, place: Place, situation: Situation): Chances<Visit> => {
  const { mirror } = place.config;
  const visits = visitBare(world, place, situation);
  if (mirror === undefined) return visits;
  const percent = BigInt(Math.round(Number((mirror as JsonObject).percent) * 10_000));
  return andThen(visits, (visited) => {
    const { calls, trail } = visited.world;
    const isSent = calls.length > world.calls.length && !trail.slice(world.trail.length).some(isDenial);
    const drawn = oneOf([[percent, true] as const, [1_000_000n - percent, false] as const]);
    return andThen(drawn, (isDrawn) => (isSent && isDrawn ? sendCopy(visited, place, situation) : certain(visited)));
  });
};

const visitBare = (world: World, place: Place, situation: Situation): Chances<Visit> => {
  switch (toStrategy(place).mode) {
    case 'single':
      return visit(world, toTargets(place)[0] ?? place, situation);
    case 'conditional':
      return visit(world, chosen(place, situation), situation);
    case 'fallback': {
      const [after, places] = usable(world, place, situation);
      if (places.length === 0) return refused(after, place);
      return fallThrough(after, places, place, situation);
    }
    case 'loadbalance': {
      const [after, places] = usable(world, place, situation);
      if (places.length === 0) return refused(after, place);
      const drawn = oneOf(places.map((target) => [wholeWeight(target), target] as const));
      return andThen(drawn, (target) => visit(after, target, situation));
    }
    default:
      return visitLeaf(world, leafAt(place), situation);
  }
};

interface History {
  readonly world: World;
  readonly requests: readonly object[];
}

interface Asked {
  readonly afterMs: number;
  readonly deadlineMs: number | undefined;
}

const requested = (
  { world, requests }: History,
  config: JsonObject,
  { afterMs, deadlineMs, ...asked }: Omit<Situation, 'deadlineAt'> & Asked,
): Chances<History> => {
  const began = world.now + afterMs;
  const allowed = Math.min(...[config.deadline_ms, deadlineMs].map((ms) => Number(ms ?? Number.POSITIVE_INFINITY)));
  const situation = { ...asked, deadlineAt: began + allowed };
  const fresh: World = { ...world, now: began, looked: {}, calls: [], waits: [], trail: [], mirrors: [] };
  const root = { config, path: rootPointer, inherited: {} };
  return andThen(visit(fresh, root, situation), ({ world: answered, answer: { stream, ...answer } }) => {
    const ended = stream?.delivered(answered) ?? certain({ world: answered, broken: false });
    return andThen(ended, ({ world: after }) => {
      const { calls, waits, now, mirrors } = after;
      const isOver = now >= situation.deadlineAt;
      const trail = [...after.trail, ...(isOver ? [{ kind: 'deadlinePassed', ms: allowed }] : [])];
      const copies = mirrors.length === 0 ? {} : { mirrors };
      const request = { calls, waits, answer, tookMs: answered.now - began, trail, ...copies };
      return certain({ world: after, requests: [...requests, request] });
    });
  });
};

const circuitsAfter = ({ circuits, named, met }: World): readonly object[] =>
  Object.entries(named)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, name]) =>
      (name === undefined ? [] : (met[name] ?? [])).map(({ key, of }) => ({
        path,
        ...(of && { of }),
        circuit: circuits[key],
      })),
    );

/** Serialises a value with its members in order, so that equal outcomes have equal texts. */
const spelled = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

/** Returns every outcome with its probability, like `observableMeaning` for a plan. */
export const denoteConfig = (
  config: JsonObject,
  scene: Scene,
  wallAtStart: number,
): readonly { readonly probability: string; readonly outcome: unknown }[] => {
  const histories = scene.requests.reduce<Chances<History>>(
    (before, { afterMs, facts, deadlineMs, unable = [] }) =>
      andThen(before, (history) =>
        requested(history, config, { scene, facts, wallAtStart, afterMs, deadlineMs, unable }),
      ),
    certain({ world: newWorld, requests: [] }),
  );
  const merged = new Map<string, readonly [Fraction, unknown]>();
  for (const [probability, { world, requests }] of histories) {
    const outcome = { requests, circuits: circuitsAfter(world) };
    const text = spelled(outcome);
    const before = merged.get(text)?.[0] ?? ([0n, 1n] as const);
    merged.set(text, [plus(before, probability), outcome]);
  }
  return [...merged]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, [probability, outcome]]) => ({ probability: printed(probability), outcome }));
};
