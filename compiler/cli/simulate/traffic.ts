import type { SimulatedRequest } from '../../../schema/forecast/simulation.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { RequestScript } from '../../../schema/trail/request-script.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { Draws } from './draws.ts';
import { Members } from './members.ts';

/** A kind of request, and how often it comes among all. */
export interface RequestKind {
  readonly share: number;
  readonly script: Omit<RequestScript, 'seed' | 'upstream'>;
  readonly tokens: { readonly input: number; readonly output: number };
}

/** How long a target takes for an answer: half of all at most the median, and 95 of 100 at most `p95Ms`. */
export interface Latency {
  readonly target?: string;
  readonly medianMs: number;
  readonly p95Ms: number;
}

/** Requests a second from a time on. */
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

/** A simulation has at most so many requests. */
export const maxRequests = 100_000;

const day = 24 * 3600;

const readKind = (members: Members): RequestKind => {
  const body = members.object('body');
  const script = {
    method: 'POST',
    path: members.text('path') ?? '/v1/chat/completions',
    headers: {},
    metadata: members.object('metadata') ?? {},
    ...(body !== undefined && { body: withMessages(body) }),
    stream: members.flag('stream') ?? false,
  };
  const tokens = { from: 0, to: 10_000_000, whole: true };
  return {
    share: members.number('share', { from: 0.000001, to: 1_000_000 }) ?? 1,
    script,
    tokens: {
      input: members.number('input_tokens', tokens) ?? 500,
      output: members.number('output_tokens', tokens) ?? 200,
    },
  };
};

/** A body that says only what conditions read is a request all the same. */
const withMessages = (body: JsonObject): JsonObject =>
  body.messages === undefined && body.input === undefined && body.prompt === undefined
    ? { model: 'simulated', messages: [{ role: 'user', content: 'Hello.' }], ...body }
    : body;

const defaultKind: RequestKind = {
  share: 1,
  script: { method: 'POST', path: '/v1/chat/completions', headers: {}, metadata: {}, stream: false },
  tokens: { input: 500, output: 200 },
};

/** Reads a traffic profile. Throws a `UsageError` that says what is wrong with it. */
export const readTraffic = (value: Json, file: string, targets: readonly string[]): Traffic => {
  const members = new Members(file, '', value, ['duration_s', 'rate', 'rates', 'requests', 'latency']);
  const durationS = members.number('duration_s', { from: 1, to: 7 * day }) ?? 600;
  const perSecond = { from: 0, to: 100_000 };
  const rates = members.objects('rates', 1000, ['from_s', 'rate'])?.map((each) => ({
    fromMs: 1000 * (each.number('from_s', { from: 0, to: 7 * day }) ?? 0),
    perSecond: each.number('rate', perSecond) ?? 0,
  }));
  const latencies = members.objects('latency', 1000, ['target', 'median_ms', 'p95_ms'])?.map((each) => {
    each.refuseUnknown('target', targets, 'target');
    const ms = { from: 0.001, to: 3_600_000 };
    const medianMs = each.number('median_ms', ms) ?? 500;
    const p95Ms = each.number('p95_ms', ms) ?? 3 * medianMs;
    if (p95Ms < medianMs)
      throw new UsageError(
        `In ${file}, a "p95_ms" of "latency" is below its "median_ms".`,
        'Make it the same or more.',
      );
    const target = each.text('target');
    return { medianMs, p95Ms, ...(target !== undefined && { target }) };
  });
  const own = ['share', 'path', 'metadata', 'body', 'stream', 'input_tokens', 'output_tokens'];
  const base = { fromMs: 0, perSecond: members.number('rate', perSecond) ?? 10 };
  const course = {
    durationMs: durationS * 1000,
    rates: [base, ...(rates ?? [])].sort((a, b) => a.fromMs - b.fromMs),
  };
  refuseTooMany(course, file);
  return {
    ...course,
    kinds: members.objects('requests', 1000, own)?.map(readKind) ?? [defaultKind],
    latencies: latencies ?? [],
  };
};

const chosenKind = (kinds: readonly RequestKind[], drawn: number): number => {
  let left = drawn * kinds.reduce((sum, { share }) => sum + share, 0);
  const index = kinds.findIndex(({ share }) => {
    left -= share;
    return left < 0;
  });
  return index === -1 ? kinds.length - 1 : index;
};

/** A part of the time in which the rate is the same. */
interface Stretch extends Rate {
  readonly toMs: number;
}

const stretches = ({ durationMs, rates }: Pick<Traffic, 'durationMs' | 'rates'>): readonly Stretch[] =>
  rates.map((rate, index) => ({ ...rate, toMs: Math.min(durationMs, rates[index + 1]?.fromMs ?? durationMs) }));

/** Throws a `UsageError` for traffic of more requests than a simulation has. */
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

/** The requests of a profile, at times that are drawn: a Poisson process. */
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
