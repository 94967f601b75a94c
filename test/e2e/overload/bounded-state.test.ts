import { existsSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { type Holdings, type ProbedGateway, startProbedGateway } from '../../support/soak/probed-gateway.ts';
import { runSoak } from '../../support/soak/run-soak.ts';
import { configRequest, hostRequest, type SoakRequest } from '../../support/soak/soak-requests.ts';
import { openaiAnswer, openaiError } from '../../support/vendors/openai-wire.ts';

/** `GW_SOAK=1` runs the full numbers of requests, which takes minutes. */
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

/** Bytes by which the process may grow, because freed memory is not returned to the system immediately. */
const memoryGrowth = 32 * mebibyte;

interface Soak {
  /** Requests that fill the caches. */
  readonly first: number;
  /** Requests after them, which should add nothing. */
  readonly more: number;
  readonly toRequest: (at: number) => SoakRequest;
  /** Bytes by which the heap may grow, for caches that are not full yet. Far less than the requests would take. */
  readonly heapGrowth: number;
  /** The most open files and sockets that the gateway may have. */
  readonly descriptors: number;
}

/** Parts of a soak. Garbage is collected after each, because the measured memory would otherwise include it. */
const parts = 5;

/** Sends the requests with these numbers, and returns what is held after the last. */
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

/** A leak adds to every round of requests. A cache that fills late, or memory that is not returned yet, does not. */
const rounds = 3;

/** Checks that at least one of a few more rounds adds nothing to what the rounds before it left. */
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

// The holdings of a process are read from /proc.
describe.runIf(existsSync('/proc/self/fd'))('a gateway that has served very many different', () => {
  it('header configs holds no more than after the first of them', async () => {
    const [first, more] = isFull ? [50_000, 50_000] : [12_000, 3000];
    const readRequest = (at: number): SoakRequest => configRequest(at, upstream);
    await expectBounded({ first, more, toRequest: readRequest, heapGrowth: 4 * mebibyte, descriptors: 100 });
  }, 600_000);

  it('hosts of callers holds no more than after the first of them', async () => {
    const [first, more] = isFull ? [5000, 5000] : [600, 900];
    const readRequest = (at: number): SoakRequest => hostRequest(at, upstream);
    // 256 pools of callers' hosts, and some for those that are not closed yet.
    await expectBounded({ first, more, toRequest: readRequest, heapGrowth: 8 * mebibyte, descriptors: 400 });
    expect(upstream.connections).toBeLessThan(300);
  }, 600_000);
});
