import type { JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import {
  admit,
  type Circuit,
  type CircuitOutcome,
  closedCircuit,
  settle,
} from '../../../schema/plan/circuits/circuit.ts';
import type { Facts } from '../../../schema/plan/condition.ts';
import { andThen, type Chances, certain, oneOf } from './chances.ts';
import { readKeys, withFirstKeyOnly, withKeys } from './keys.ts';
import { type Breaker, findBreaker, type Hook, inputHooks, outputHooks, type Retry, readRetry } from './settings.ts';
import {
  type Answer,
  counted,
  type Delivered,
  type MetAt,
  type Scene,
  type UpstreamReply,
  type Visit,
  type World,
} from './world.ts';

/** A target without targets of its own, with everything that it inherits. */
export interface Leaf {
  readonly id: string;
  readonly path: JsonPointer;
  readonly settings: JsonObject;
}

export interface Situation {
  readonly scene: Scene;
  readonly facts: Facts;
  readonly wallAtStart: number;
  /** The time after which nothing more is done for the request. Infinity if there is no deadline. */
  readonly deadlineAt: number;
  /** Set if a stream that broke elsewhere should continue here. */
  readonly goesOn?: true;
  /** The targets that cannot serve the request. */
  readonly unable: readonly string[];
}

/** Targets with the same settings share a circuit, whatever their names. */
const circuitName = ({ settings }: Leaf): string => {
  const retry = readRetry(settings);
  return JSON.stringify({ ...withFirstKeyOnly(settings), retry: retry.attempts > 0 ? retry : 'none' }, (_key, value) =>
    sorted(value),
  );
};

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** A credential is the same at the same address, whatever other settings a target has. */
const credentialName = ({ settings }: Leaf): string => {
  const { provider, api_key, virtual_key, keys, custom_host } = withFirstKeyOnly(settings);
  return JSON.stringify({ provider, api_key, virtual_key, keys, custom_host });
};

/** Returns the circuits of a leaf that a request uses. */
export const listMet = (leaf: Leaf, { facts }: Pick<Situation, 'facts'>): readonly MetAt[] => {
  const breaker = findBreaker(leaf.settings);
  if (breaker === undefined) return [];
  const name = circuitName(leaf);
  const { divided } = breaker;
  if (!divided.model && !divided.error) return [{ key: name }];
  const { model: own } = (leaf.settings.override_params ?? {}) as JsonObject;
  const asked = own ?? facts.params.model;
  const model = typeof asked === 'string' ? { model: asked } : {};
  const ofTarget = divided.model ? model : {};
  const at = (of: NonNullable<MetAt['of']>): MetAt => ({ key: `${name} ${of.kind} ${of.model ?? ''}`, of });
  return [
    ...(divided.error ? [{ key: credentialName(leaf), of: { kind: 'credential' as const } }] : []),
    ...(divided.error && typeof asked === 'string' ? [at({ kind: 'model', ...model })] : []),
    ...(divided.error ? [at({ kind: 'limit', ...ofTarget })] : []),
    at({ kind: 'target', ...ofTarget }),
  ];
};

export const toCircuit = (world: World, { key }: MetAt): Circuit => world.circuits[key] ?? closedCircuit;

const withCircuit = (world: World, leaf: Leaf, { met, after }: { met: MetAt; after: Circuit }): World => {
  const before = toCircuit(world, met);
  const name = circuitName(leaf);
  const known = world.met[name] ?? [];
  const changed = {
    ...world,
    circuits: { ...world.circuits, [met.key]: after },
    met: { ...world.met, [name]: known.some(({ key }) => key === met.key) ? known : [...known, met] },
  };
  const { path } = leaf;
  return before.state === after.state
    ? changed
    : noted(changed, leaf, {
        kind: 'circuitChanged',
        path,
        ...(met.of && { of: met.of }),
        from: before.state,
        to: after.state,
      });
};

const noted = (world: World, leaf: Leaf, event: World['trail'][number]): World => ({
  ...world,
  trail: [...world.trail, event],
  named: { ...world.named, [leaf.path]: leaf.settings.cb_config === undefined ? undefined : circuitName(leaf) },
});

/** The answer of one attempt, or of the gateway instead. */
interface Given {
  readonly status: number;
  readonly origin: Answer['origin'];
  readonly headers: Readonly<Record<string, string>>;
  readonly poolFull: boolean;
  /** Whether nobody waited for the upstream any longer. */
  readonly abandoned: boolean;
  /** Whether it concerns the key, and other keys are usable. */
  readonly isOfKey: boolean;
  readonly stream: 'none' | 'whole' | 'broken';
  readonly restMs: number;
}

const given = (status: number, origin: Answer['origin'], more: Partial<Given> = {}): Given => ({
  status,
  origin,
  headers: {},
  poolFull: false,
  abandoned: false,
  isOfKey: false,
  stream: 'none',
  restMs: 0,
  ...more,
});

const received = (reply: Exclude<UpstreamReply, { kind: 'hang' }>, streams: boolean): Given => {
  const { restMs = 0 } = reply;
  if (reply.kind === 'network')
    return given(reply.cause === 'pool-full' ? 503 : 502, 'network', { poolFull: reply.cause === 'pool-full' });
  if (reply.kind === 'cut')
    return streams && reply.content ? given(200, 'upstream', { stream: 'broken', restMs }) : given(502, 'network');
  const stream = streams && reply.status === 200 ? 'whole' : 'none';
  return given(reply.status, 'upstream', { headers: reply.headers, stream, ...(stream === 'none' ? {} : { restMs }) });
};

/** Runs the hooks that are waited for. */
const judged = (
  world: World,
  leaf: Leaf,
  {
    hooks,
    phase,
    scene,
  }: { readonly hooks: readonly Hook[]; readonly phase: 'input' | 'output'; readonly scene: Scene },
): readonly [World, 'passed' | 'failed' | 'denied'] => {
  const waited = hooks.filter(({ async }) => !async);
  if (waited.length === 0) return [world, 'passed'];
  let after = world;
  let denied = false;
  let failed = false;
  for (const hook of waited) {
    const [next, nth] = counted(after, `${hook.id} at ${leaf.id}`);
    after = next;
    const passes = (scene.checks?.(hook.id, leaf.id, nth) ?? 'pass') === 'pass';
    failed ||= !passes;
    denied ||= passes ? hook.denyOnSuccess : hook.denyOnFail;
  }
  const result = denied ? 'denied' : failed ? 'failed' : 'passed';
  return [noted(after, leaf, { kind: 'checked', path: leaf.path, phase, result }), result];
};

/** Whether a stream is held until it has been checked. */
const holdsStreams = (leaf: Leaf): boolean =>
  outputHooks(leaf.settings).some(({ async, denyOnFail, denyOnSuccess }) => !async && (denyOnFail || denyOnSuccess));

const tooLate = given(408, 'timeout', { abandoned: true });

/** Returns what arrives from the upstream, and when. */
const arrived = (
  reply: UpstreamReply,
  leaf: Leaf,
  { now, facts, deadlineAt }: Situation & { readonly now: number },
): readonly [number, Given] => {
  const timesOutAt = now + Number(leaf.settings.request_timeout ?? 600_000);
  const comesAt = reply.kind === 'hang' ? Number.POSITIVE_INFINITY : now + (reply.afterMs ?? 0);
  if (reply.kind === 'hang' || comesAt >= timesOutAt || comesAt >= deadlineAt)
    return timesOutAt <= deadlineAt ? [timesOutAt, given(408, 'timeout')] : [deadlineAt, tooLate];
  const answer = received(reply, facts.params.stream === true);
  if (answer.stream === 'none' || !holdsStreams(leaf)) return [comesAt, answer];
  const endsAt = comesAt + answer.restMs;
  if (endsAt >= deadlineAt) return [deadlineAt, tooLate];
  return [endsAt, answer.stream === 'broken' ? given(502, 'network') : { ...answer, restMs: 0 }];
};

/** Makes one call, with one of the leaf's keys if it has several. */
const called = (
  world: World,
  leaf: Leaf,
  { attempt, key, ...situation }: Situation & { readonly attempt: number; readonly key: number | undefined },
): readonly [World, Given] => {
  const [counting, nth] = counted(world, `calls of ${leaf.id}`);
  const reply = situation.scene.upstream(leaf.id, nth, key);
  const [now, answer] = arrived(reply, leaf, { ...situation, now: counting.now });
  const { status, origin } = answer;
  const event = { kind: 'attempted', path: leaf.path, target: leaf.id, attempt, status, origin } as const;
  const calls = [...counting.calls, { target: leaf.id, path: leaf.path, attempt }];
  return [noted({ ...counting, now, calls }, leaf, key === undefined ? event : { ...event, key }), answer];
};

/** Applies the output checks to an answer. */
const checkedAnswer = (
  after: World,
  leaf: Leaf,
  { answer, scene }: { readonly answer: Given; readonly scene: Scene },
): readonly [World, Given] => {
  if (answer.origin !== 'upstream' || answer.status < 200 || answer.status > 299) return [after, answer];
  if (answer.stream !== 'none' && !holdsStreams(leaf)) return [after, answer];
  const [checked, result] = judged(after, leaf, { hooks: outputHooks(leaf.settings), phase: 'output', scene });
  if (result === 'denied') return [checked, given(446, 'check')];
  return [checked, result === 'failed' && answer.status === 200 ? { ...answer, status: 246 } : answer];
};

/** Returns the wait that an answer's headers request, in milliseconds. */
const askedFor = (headers: Given['headers'], wall: number): number | undefined => {
  const exact = headers['retry-after-ms'] ?? headers['x-ms-retry-after-ms'];
  if (exact !== undefined) return Number(exact);
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? Number(text) * 1000 : Math.max(0, Date.parse(text) - wall);
};

/** Returns the earliest and latest start of the next retry. */
const waitFor = (answer: Given, retry: Retry, { nth, wall }: { readonly nth: number; readonly wall: number }) => {
  if (answer.status === 446 || answer.status === 246) return { from: 0, to: 0 };
  const asked = retry.heeded ? askedFor(answer.headers, wall) : undefined;
  return asked === undefined ? { from: 500 * 2 ** (nth - 1), to: 1000 * 2 ** (nth - 1) } : { from: asked, to: asked };
};

interface Tried {
  readonly world: World;
  readonly answer: Given;
  readonly retries: number;
}

interface Trying {
  readonly retries: number;
  /** The number of calls that were made. */
  readonly made: number;
  readonly waited: number;
}

/** Makes the attempt after this number of retries, and those that follow. */
const tried = (world: World, leaf: Leaf, { made, ...trying }: Situation & Trying): Chances<Tried> => {
  const attempts = withKeys<Given>(world, {
    keys: readKeys(leaf.settings),
    deadlineAt: trying.deadlineAt,
    call: (before, key, nth) => called(before, leaf, { ...trying, key, attempt: made + nth }),
    read: ({ status, origin, headers }, { now }) => ({
      ...{ status, origin },
      askedMs: askedFor(headers, trying.wallAtStart + now),
    }),
  });
  return andThen(attempts, ({ world: after, answer, calls, isOfKey }) => {
    const [checked, found] = checkedAnswer(after, leaf, { answer: { ...answer, isOfKey }, scene: trying.scene });
    return goneOn(checked, leaf, { ...trying, made: made + calls, answer: found });
  });
};

/** Continues after an attempt. */
const goneOn = (
  after: World,
  leaf: Leaf,
  { retries, made, waited, answer, ...situation }: Situation & Trying & { readonly answer: Given },
): Chances<Tried> => {
  const retry = readRetry(leaf.settings);
  const curable =
    retry.attempts > 0 &&
    after.now < situation.deadlineAt &&
    (answer.origin === 'network' || retry.on.includes(answer.status));
  if (!curable) return certain({ world: after, answer, retries });
  if (retries === retry.attempts) return certain({ world: after, answer, retries: -1 });
  const { from, to } = waitFor(answer, retry, { nth: retries + 1, wall: situation.wallAtStart + after.now });
  const ends =
    from === to
      ? certain(from)
      : oneOf([
          [1n, from],
          [1n, to],
        ]);
  return andThen(ends, (ms) => {
    if (waited + ms > 60_000 || after.now + ms >= situation.deadlineAt)
      return certain({ world: after, answer, retries: -1 });
    const rested = noted({ ...after, now: after.now + ms, waits: [...after.waits, { from, to, ms }] }, leaf, {
      kind: 'retried',
      path: leaf.path,
      retry: retries + 1,
      waitMs: ms,
    });
    return tried(rested, leaf, { ...situation, made, retries: retries + 1, waited: waited + ms });
  });
};

/** Runs everything inside the circuit breaker. */
const guarded = (world: World, leaf: Leaf, situation: Situation): Chances<Tried> => {
  const { scene } = situation;
  const [checked, result] = judged(world, leaf, { hooks: inputHooks(leaf.settings), phase: 'input', scene });
  if (result === 'denied') return certain({ world: checked, answer: given(446, 'check'), retries: 0 });
  return andThen(tried(checked, leaf, { ...situation, made: 0, retries: 0, waited: 0 }), (run) =>
    certain(
      result === 'failed' && run.answer.status === 200 && run.answer.origin === 'upstream'
        ? { ...run, answer: { ...run.answer, status: 246 } }
        : run,
    ),
  );
};

/** The circuit for each status that has a separate one. */
const ownCircuit: Readonly<Record<number, string>> = {
  401: 'credential',
  403: 'credential',
  404: 'model',
  429: 'limit',
};

/** Returns what an answer means for a circuit. */
const toOutcome = (breaker: Breaker, answer: Given, { of }: MetAt): CircuitOutcome => {
  if (answer.origin === 'check' || answer.origin === 'gateway' || answer.poolFull || answer.abandoned) return 'neutral';
  if (answer.isOfKey) return 'neutral';
  const fails = answer.stream === 'broken' || breaker.isFailure(answer);
  if (of === undefined || !breaker.divided.error) return fails ? 'failure' : 'success';
  const refused = answer.origin === 'upstream' ? ownCircuit[answer.status] : undefined;
  if (of.kind === refused) return 'failure';
  if (of.kind === 'target') return fails && refused === undefined ? 'failure' : 'success';
  return answer.origin === 'upstream' && answer.status >= 200 && answer.status <= 299 ? 'success' : 'neutral';
};

/** Returns when a circuit opens, and for how long. */
const terms = (
  breaker: Breaker,
  answer: Given,
  { of }: MetAt,
  wall: number,
): Pick<Breaker, 'threshold' | 'cooldownMs'> =>
  of?.kind === 'limit'
    ? { threshold: 1, cooldownMs: Math.min(askedFor(answer.headers, wall) ?? breaker.cooldownMs, 300_000) }
    : breaker;

/** Runs a leaf inside its circuit breaker. */
export const visitLeaf = (world: World, leaf: Leaf, situation: Situation): Chances<Visit> => {
  if (situation.goesOn === true && holdsStreams(leaf))
    return certain({
      world,
      answer: { status: 502, origin: 'gateway', path: leaf.path, retries: 0, declined: true },
    });
  const breaker = findBreaker(leaf.settings);
  const all = listMet(leaf, situation);
  const probes = all.map((met) => breaker !== undefined && admit(toCircuit(world, met), world.now, breaker).probe);
  const entered =
    breaker === undefined
      ? world
      : all.reduce((before, met) => {
          const after = admit(toCircuit(before, met), before.now, breaker).circuit;
          return withCircuit(before, leaf, { met, after });
        }, world);
  const ended = (last: World, answer: Given | 'neutral'): World =>
    breaker === undefined
      ? last
      : all.reduce((before, met, index) => {
          const said =
            answer === 'neutral'
              ? { ...breaker, outcome: answer }
              : {
                  ...terms(breaker, answer, met, situation.wallAtStart + before.now),
                  outcome: toOutcome(breaker, answer, met),
                };
          const { threshold, cooldownMs, outcome } = said;
          const probe = probes[index] === true;
          const after = settle(toCircuit(before, met), before.now, { threshold, cooldownMs, outcome, probe });
          return withCircuit(before, leaf, { met, after });
        }, last);
  return andThen(guarded(entered, leaf, situation), ({ world: after, answer: inner, retries }): Chances<Visit> => {
    const settled = (last: World, how: 'answered' | 'neutral'): World => ended(last, how === 'neutral' ? how : inner);
    const answer: Answer = { status: inner.status, origin: inner.origin, path: leaf.path, retries };
    if (inner.stream === 'none') return certain({ world: settled(after, 'answered'), answer });
    const whole = (last: World): Chances<Delivered> => certain({ world: last, broken: false });
    const delivered = (begun: World): Chances<Delivered> => {
      const endsAt = begun.now + inner.restMs;
      const cut = endsAt >= situation.deadlineAt;
      const last = { ...begun, now: Math.min(endsAt, situation.deadlineAt) };
      if (cut)
        return whole(
          settled(noted(last, leaf, { kind: 'streamFailed', path: leaf.path, cause: 'deadline-exceeded' }), 'neutral'),
        );
      if (inner.stream === 'broken') {
        const failed = noted(last, leaf, { kind: 'streamFailed', path: leaf.path, cause: 'stream-cut' });
        return certain({ world: settled(failed, 'answered'), broken: true });
      }
      if (holdsStreams(leaf)) return whole(settled(last, 'answered'));
      const hooks = outputHooks(leaf.settings);
      const [checked] = judged(last, leaf, { hooks, phase: 'output', scene: situation.scene });
      return whole(settled(checked, 'answered'));
    };
    const discarded = (last: World): World => settled(last, 'neutral');
    return certain({ world: after, answer: { ...answer, stream: { delivered, discarded } } });
  });
};
