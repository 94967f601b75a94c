import { existsSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Holdings, type ProbedGateway, startProbedGateway } from '../support/soak/probed-gateway.ts';
import { runSoak } from '../support/soak/run-soak.ts';
import { configRequest, hostRequest, type SoakRequest } from '../support/soak/soak-requests.ts';
import { startUpstream, type TestUpstream } from '../support/upstream-server.ts';
import { openaiAnswer, openaiError } from '../support/vendors/openai-wire.ts';

/** `GW_SOAK=1` runs the full figures; they take minutes. */
const isFull = process.env.GW_SOAK === '1';

const answer = openaiAnswer({ text: 'It rains in Graz today.' });
const down = openaiError('It is down.', 'server_error');

let upstream: TestUpstream;
let gateway: ProbedGateway;

beforeAll(async () => {
  upstream = await startUpstream((call) => {
    if (call.request.text().includes('"down"')) call.json(down, { status: 502 });
    else call.json(answer);
  });
});
afterAll(() => upstream.close());
beforeEach(async () => {
  gateway = await startProbedGateway();
});
afterEach(() => gateway.stop());

const mebibyte = 2 ** 20;

/** Bytes by which the process may: what it frees is not given back at once. */
const memoryGrowth = 32 * mebibyte;

interface Soak {
  /** Requests that fill what caches there are. */
  readonly first: number;
  /** Requests after them, which are to add nothing. */
  readonly more: number;
  readonly toRequest: (at: number) => SoakRequest;
  /** Bytes by which the heap may grow: caches that are not full yet, and far less than what a request holds. */
  readonly heapGrowth: number;
  /** Open files and sockets of the gateway, at the most. */
  readonly descriptors: number;
}

/** Parts of a soak, after each of which garbage is collected: else memory would be a measure of that. */
const parts = 5;

/** Sends requests from one number to another, and gives what is held after the last. */
const heldAfter = async (readRequest: Soak['toRequest'], from: number, to: number): Promise<Holdings> => {
  const step = (to - from) / parts;
  let held = await gateway.measure();
  for (let part = 0; part < parts; part += 1) {
    const range = { from: from + step * part, to: from + step * (part + 1) };
    expect(await runSoak({ origin: gateway.origin, ...range, toRequest: readRequest })).toEqual([]);
    held = await gateway.measure();
  }
  return held;
};

/** A leak adds to each round of requests; a cache that fills late and memory not given back yet do not. */
const rounds = 3;

/** One of a few rounds of more requests adds nothing to what those before it left. */
const expectBounded = async ({ first, more, toRequest, heapGrowth, descriptors }: Soak): Promise<void> => {
  let before = await heldAfter(toRequest, 0, first);
  let [heap, rss] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds && !(heap < heapGrowth && rss < memoryGrowth); round += 1) {
    const from = first + round * more;
    const after = await heldAfter(toRequest, from, from + more);
    [heap, rss] = [after.heap - before.heap, after.rss - before.rss];
    expect(Math.max(before.descriptors, after.descriptors)).toBeLessThan(descriptors);
    before = after;
  }
  expect(heap).toBeLessThan(heapGrowth);
  expect(rss).toBeLessThan(memoryGrowth);
};

// What a process holds is read from /proc.
describe.runIf(existsSync('/proc/self/fd'))('a gateway that has seen very many', () => {
  it('header configs, each another, holds no more than after the first of them', async () => {
    const [first, more] = isFull ? [50_000, 50_000] : [12_000, 3000];
    const readRequest = (at: number): SoakRequest => configRequest(at, upstream);
    await expectBounded({ first, more, toRequest: readRequest, heapGrowth: 4 * mebibyte, descriptors: 100 });
  }, 600_000);

  it('hosts that callers chose, each another, holds no more than after the first of them', async () => {
    const [first, more] = isFull ? [5000, 5000] : [600, 900];
    const readRequest = (at: number): SoakRequest => hostRequest(at, upstream);
    // 256 pools of callers' hosts, and some for those that were not closed yet.
    await expectBounded({ first, more, toRequest: readRequest, heapGrowth: 8 * mebibyte, descriptors: 400 });
    expect(upstream.connections).toBeLessThan(300);
  }, 600_000);
});
