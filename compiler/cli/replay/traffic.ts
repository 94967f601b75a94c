import type { SimulatedRequest } from '../../../schema/forecast/simulation.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { RequestScript } from '../../../schema/trail/request-script.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { Draws } from './draws.ts';
import { flag, nameOf, number, object, objects, type Read, readMembers, text } from './members.ts';

/** A kind of request, and how frequent it is. */
export interface RequestKind {
  readonly share: number;
  readonly script: Omit<RequestScript, 'seed' | 'upstream'>;
  readonly tokens: { readonly input: number; readonly output: number };
}

/** How long a target takes to answer: the median, and the 95th percentile `p95Ms`. */
export interface Latency {
  readonly target?: string;
  readonly medianMs: number;
  readonly p95Ms: number;
}

/** Requests per second, starting at a time. */
interface Rate {
  readonly fromMs: number;
  readonly perSecond: number;
}

export interface Traffic {
  readonly durationMs: number;
  readonly rates: readonly Rate[];
  readonly kinds: readonly RequestKind[];
  readonly latencies: readonly Latency[];
}

/** The maximum number of requests of a simulation. */
export const maxRequests = 100_000;

const day = 24 * 3600;

const tokens = number({ from: 0, to: 10_000_000, whole: true });

const kindMembers = {
  share: number({ from: 0.000001, to: 1_000_000 }),
  path: text,
  metadata: object,
  body: object,
  stream: flag,
  input_tokens: tokens,
  output_tokens: tokens,
};

const toKind = (members: Read<typeof kindMembers>): RequestKind => {
  const { share = 1, path = '/v1/chat/completions', metadata = {}, body, stream = false } = members;
  const { input_tokens: input = 500, output_tokens: output = 200 } = members;
  return {
    share,
    script: {
      ...{ method: 'POST', path, headers: {}, metadata },
      ...(body !== undefined && { body: withMessages(body) }),
      stream,
    },
    tokens: { input, output },
  };
};

/** Completes a body that has only what conditions read, so that it is a valid request. */
const withMessages = (body: JsonObject): JsonObject =>
  body.messages === undefined && body.input === undefined && body.prompt === undefined
    ? { model: 'simulated', messages: [{ role: 'user', content: 'Hello.' }], ...body }
    : body;

const defaultKind: RequestKind = {
  share: 1,
  script: { method: 'POST', path: '/v1/chat/completions', headers: {}, metadata: {}, stream: false },
  tokens: { input: 500, output: 200 },
};

const seconds = number({ from: 0, to: 7 * day });
const perSecond = number({ from: 0, to: 100_000 });
const ms = number({ from: 0.001, to: 3_600_000 });

const trafficMembers = (targets: readonly string[]) => ({
  duration_s: number({ from: 1, to: 7 * day }),
  rate: perSecond,
  rates: objects(1000, { from_s: seconds, rate: perSecond }),
  requests: objects(1000, kindMembers),
  latency: objects(1000, { target: nameOf(targets, 'target'), median_ms: ms, p95_ms: ms }),
});

/** Reads a traffic profile. Throws a `UsageError` that states what is wrong with it. */
export const readTraffic = (value: Json, file: string, targets: readonly string[]): Traffic => {
  const members = readMembers(file, value, trafficMembers(targets));
  const { duration_s: durationS = 600, rate = 10, rates = [], requests, latency = [] } = members;
  const latencies = latency.map(({ target, median_ms: medianMs = 500, p95_ms: p95Ms = 3 * medianMs }) => {
    if (p95Ms < medianMs)
      throw new UsageError(
        `In ${file}, a "p95_ms" of "latency" is below its "median_ms".`,
        'Make it the same or more.',
      );
    return { medianMs, p95Ms, ...(target !== undefined && { target }) };
  });
  const course = {
    durationMs: durationS * 1000,
    rates: [{ from_s: 0, rate }, ...rates]
      .map((each) => ({ fromMs: 1000 * (each.from_s ?? 0), perSecond: each.rate ?? 0 }))
      .sort((a, b) => a.fromMs - b.fromMs),
  };
  refuseTooMany(course, file);
  return { ...course, kinds: requests?.map(toKind) ?? [defaultKind], latencies };
};

const chosenKind = (kinds: readonly RequestKind[], drawn: number): number => {
  let left = drawn * kinds.reduce((sum, { share }) => sum + share, 0);
  const index = kinds.findIndex(({ share }) => {
    left -= share;
    return left < 0;
  });
  return index === -1 ? kinds.length - 1 : index;
};

/** A period with a constant rate. */
interface Stretch extends Rate {
  readonly toMs: number;
}

const stretches = ({ durationMs, rates }: Pick<Traffic, 'durationMs' | 'rates'>): readonly Stretch[] =>
  rates.map((rate, index) => ({ ...rate, toMs: Math.min(durationMs, rates[index + 1]?.fromMs ?? durationMs) }));

/** Throws a `UsageError` if the traffic has more requests than a simulation allows. */
const refuseTooMany = (traffic: Pick<Traffic, 'durationMs' | 'rates'>, file: string): void => {
  const expected = stretches(traffic).reduce(
    (sum, { fromMs, toMs, perSecond }) => sum + (Math.max(0, toMs - fromMs) * perSecond) / 1000,
    0,
  );
  if (expected <= maxRequests) return;
  throw new UsageError(
    `The traffic of ${file} is about ${Math.round(expected)} requests, and a simulation has at most ${maxRequests}.`,
    'Make its duration or its rates smaller.',
  );
};

/** Generates the requests of a profile, at random times: a Poisson process. */
export function* drawnRequests(traffic: Traffic, draws: Draws, seed: number): Generator<SimulatedRequest, void, void> {
  const { kinds } = traffic;
  let number = 0;
  for (const { fromMs, toMs, perSecond } of stretches(traffic)) {
    if (perSecond === 0) continue;
    const gap = (): number => (-Math.log(1 - draws.next('gap')) * 1000) / perSecond;
    for (let atMs = fromMs + gap(); atMs < toMs; atMs += gap()) {
      number += 1;
      const kind = chosenKind(kinds, draws.next('kind'));
      const script = kinds[kind]?.script ?? defaultKind.script;
      yield { atMs, kind, script: { ...script, upstream: [], seed: seed * maxRequests + number } };
    }
  }
}
