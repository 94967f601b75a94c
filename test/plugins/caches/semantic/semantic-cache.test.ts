import { describe, expect, it } from 'vitest';
import { memoryCache } from '../../../../plugins/caches/memory-cache.ts';
import { memoryVectors } from '../../../../plugins/caches/semantic/memory-vectors.ts';
import { semanticCache } from '../../../../plugins/caches/semantic/semantic-cache.ts';
import { toComparison } from '../../../../plugins/caches/semantic/similarity.ts';
import type { CacheKey, CacheRead, Embed, ResponseCache } from '../../../../plugins/sdk/cache/cache.ts';
import type { Vectors } from '../../../../plugins/sdk/cache/vectors.ts';
import { createCancellation } from '../../../../plugins/sdk/time/cancellation.ts';
import { createVirtualClock, type VirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { testCache } from '../../../../plugins/testkit/test-cache.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { cacheEntry, sampleKey } from '../../../support/in-process/cache-samples.ts';
import { toTenant } from '../../../support/in-process/sample-exchange.ts';
import { lexicalVector } from './lexical-vector.ts';
import { readPairs } from './pairs/read-pairs.ts';

const maxBytes = 1024 * 1024;
const options = { model: 'embedder', threshold: 0.95, timeoutMs: 300, maxBytes };

/** The worst possible embedder: it returns the same vector for every text. */
const same: Embed = async () => [1, 0];

interface World {
  readonly cache: ResponseCache;
  readonly exact: ResponseCache;
  readonly vectors: Vectors;
  readonly clock: VirtualClock;
  /** The texts that have been embedded. */
  readonly embedded: readonly string[];
}

const open = (embed: Embed = same): World => {
  const clock = createVirtualClock();
  const exact = memoryCache({ maxBytes }, clock);
  const vectors = memoryVectors({ maxBytes }, clock);
  const embedded: string[] = [];
  const counting: Embed = (request) => {
    embedded.push(request.text);
    return embed(request);
  };
  const cache = semanticCache({ exact, vectors, embed: counting, options, timers: clock });
  return { cache, exact, vectors, clock, embedded };
};

const keyFor = (body: JsonObject, more: Partial<CacheKey> = {}): CacheKey => {
  const { request, ...ids } = sampleKey(JSON.stringify(body));
  return { ...ids, request: { ...request, body: () => body }, ...more };
};

const asking = (content: string): CacheKey => keyFor({ model: 'm', messages: [{ role: 'user', content }] });

const askingFor = (tenant: string, content: string): CacheKey => {
  const key = asking(content);
  return { ...key, request: { ...key.request, tenant: toTenant(tenant) } };
};

/** Background work needs a turn of the event loop, but no time. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const stored = async ({ cache }: World, key: CacheKey, answer = 'answer', ttlS = 60): Promise<void> => {
  await cache.write(key, cacheEntry(answer), ttlS);
  await settled();
};

const findText = (read: CacheRead): string | undefined =>
  read.kind === 'hit' ? Buffer.from(read.entry.body).toString() : undefined;

const question = 'What is the capital of France?';
const sameQuestion = 'Please tell me what the capital of France is.';

describe('the semantic cache', () => {
  it('keeps the cache contract', async () => {
    const { cache, clock } = open();
    await testCache('semantic', { open: () => cache, pass: (seconds) => clock.advance(seconds * 1000) });
  });

  it('returns the answer to the same question in other words, marked as similar', async () => {
    const world = open();
    await stored(world, asking(question));
    expect(await world.cache.read(asking(question))).toEqual({ kind: 'hit', entry: expect.anything() });
    const read = await world.cache.read(asking(sameQuestion));
    expect([findText(read), read.similar]).toEqual(['answer', true]);
  });

  const asVectors =
    (similarity: number): Embed =>
    async ({ text }) =>
      text.startsWith(question) ? [1, 0] : [similarity, Math.sqrt(1 - similarity ** 2)];

  it('reports the similarity of the questions, even if they are not similar enough', async () => {
    const near = open(asVectors(0.96));
    await stored(near, asking(question));
    expect(await near.cache.read(asking(sameQuestion))).toMatchObject({
      kind: 'hit',
      similarity: expect.closeTo(0.96, 6),
    });
    const far = open(asVectors(0.9));
    await stored(far, asking(question));
    expect(await far.cache.read(asking(sameQuestion))).toEqual({
      ...{ kind: 'miss', similar: true },
      similarity: expect.closeTo(0.9, 6),
    });
  });

  it('keeps the answer to a question that is not similar enough next to the new one', async () => {
    const world = open(asVectors(0.9));
    await stored(world, asking(question), 'old');
    await stored(world, asking(sameQuestion), 'new');
    expect(findText(await world.cache.read(asking(`${question} Thanks!`)))).toBe('old');
  });

  it('finds the same answers if the vector store returns only ids, but reports no similarity', async () => {
    const { exact, vectors, clock } = open();
    const ofIds: Vectors = {
      ...vectors,
      async nearest(partition, vector, least) {
        const { alike } = toComparison(await vectors.nearest(partition, vector, least), least);
        return alike.map(({ id }) => id);
      },
    };
    const ask = async (similarity: number): Promise<CacheRead> => {
      const cache = semanticCache({ exact, vectors: ofIds, embed: asVectors(similarity), options, timers: clock });
      await cache.write(asking(question), cacheEntry('answer'), 60);
      await settled();
      return cache.read(asking(sameQuestion));
    };
    expect(await ask(0.96)).toEqual({ kind: 'hit', similar: true, entry: expect.anything() });
    expect(await ask(0.9)).toEqual({ kind: 'miss', similar: true });
  });

  it('skips answers that are too old for the request, but returns one of them if there is no other', async () => {
    const thanks = `${question} Thanks!`;
    /** The first two questions are not similar enough in it, so each keeps its answer. */
    const beside: Embed = async ({ text }) => {
      if (text === thanks) return [Math.cos(0.25), Math.sin(0.25)];
      return text === sameQuestion ? [Math.cos(0.5), Math.sin(0.5)] : [1, 0];
    };
    const world = open(beside);
    const wanting = (content: string, tooOld: readonly string[]): CacheKey => {
      const key = asking(content);
      const isFresh = ({ body }: { readonly body: Uint8Array }): boolean =>
        !tooOld.includes(Buffer.from(body).toString());
      return { ...key, request: { ...key.request, isFresh } };
    };
    const read = async (content: string, tooOld: readonly string[]): Promise<unknown> => {
      const found = await world.cache.read(wanting(content, tooOld));
      return [findText(found), found.similar === true, found.similarity !== undefined];
    };
    await stored(world, asking(question), 'first');
    expect(await read(question, ['first'])).toEqual(['first', false, false]);
    await stored(world, asking(thanks), 'second');
    expect(await read(question, [])).toEqual(['first', false, false]);
    expect(await read(question, ['first'])).toEqual(['second', true, true]);
    expect(await read(question, ['first', 'second'])).toEqual(['first', false, false]);
    expect(await read(sameQuestion, ['first', 'second'])).toEqual(['second', true, true]);
    expect(await read(sameQuestion, [])).toEqual(['second', true, true]);
  });

  it("reports no similarity if the similar question's answer is too old", async () => {
    const far = open(asVectors(0.9));
    await stored(far, asking(question));
    const key = asking(sameQuestion);
    const read = await far.cache.read({ ...key, request: { ...key.request, isFresh: () => false } });
    expect(read).toEqual({ kind: 'miss', similar: true });
  });

  it('makes no mistake with an embedder that cannot distinguish texts', async () => {
    const wrong: string[] = [];
    for (const { left, right } of readPairs('must-not-hit')) {
      const world = open();
      await stored(world, asking(left));
      if ((await world.cache.read(asking(right))).kind === 'hit') wrong.push(`${left} => ${right}`);
    }
    expect(wrong).toEqual([]);
  });

  it('prints how many paraphrases hit with an embedder that compares letters, without asserting a rate', async () => {
    let hits = 0;
    const pairs = readPairs('may-hit');
    for (const { left, right } of pairs) {
      const world = open(async ({ text }) => lexicalVector(text));
      await stored(world, asking(left));
      if ((await world.cache.read(asking(right))).kind === 'hit') hits += 1;
    }
    process.stdout.write(`${hits} of ${pairs.length} paraphrases of this project's own hit.\n`);
    expect(hits).toBeGreaterThan(0);
  });

  it('also requires similar vectors', async () => {
    const world = open(async ({ text }) => (text === question ? [1, 0] : [0, 1]));
    await stored(world, asking(question));
    expect(await world.cache.read(asking(sameQuestion))).toEqual({ kind: 'miss', similar: true, similarity: 0 });
  });

  it('embeds no question for which nothing could be found', async () => {
    const world = open();
    expect(await world.cache.read(asking(question))).toEqual({ kind: 'miss', similar: true });
    await stored(world, asking(question));
    await world.cache.read(asking('What is the capital of Spain?'));
    await world.cache.read(asking('Translate this to French: hello'));
    expect(world.embedded).toEqual([question]);
  });

  it('embeds a question once for both the look-up and the write', async () => {
    const world = open(async ({ text }) => (text === question ? [1, 0] : [0, 1]));
    await stored(world, asking(question));
    await world.cache.read(asking(sameQuestion));
    await stored(world, asking(sameQuestion));
    expect(world.embedded).toEqual([question, sameQuestion]);
  });

  it('replaces the answers to similar questions', async () => {
    const world = open();
    await stored(world, asking(question), 'old');
    await stored(world, asking(sameQuestion), 'new');
    expect(findText(await world.cache.read(asking(`${question} Thanks!`)))).toBe('new');
  });

  it('treats a vector without its answer as a miss', async () => {
    const world = open();
    await stored(world, asking(question), 'answer', 10);
    const { id } = asking(question);
    world.clock.advance(10_000);
    await world.vectors.add({
      tenant: toTenant('tenant'),
      partition: 'p',
      id,
      vector: Float32Array.of(1, 0),
      ttlS: 60,
    });
    expect(await world.cache.read(asking(sameQuestion))).toEqual({ kind: 'miss', similar: true });
  });

  it('is a miss if the embedder fails, but still stores the answer', async () => {
    const failing: Embed = async () => {
      throw new Error('away');
    };
    const world = open(failing);
    await stored(world, asking(question));
    expect(findText(await world.cache.read(asking(question)))).toBe('answer');
    expect(await world.cache.read(asking(sameQuestion))).toEqual({ kind: 'miss', similar: true });
  });

  it('waits for a hanging embedder only until the time-out', async () => {
    const world = open();
    await stored(world, asking(question));
    const hanging = semanticCache({
      ...world,
      embed: () => new Promise(() => {}),
      options,
      timers: world.clock,
    });
    const before = world.clock.monotonic();
    const read = await world.clock.settle(Promise.resolve(hanging.read(asking(sameQuestion))));
    expect([read, world.clock.monotonic() - before]).toEqual([{ kind: 'miss', similar: true }, options.timeoutMs]);
  });

  it('pauses an embedder for ten seconds after five failures', async () => {
    const world = open(async () => Promise.reject(new Error('away')));
    for (let at = 0; at < 8; at += 1) await stored(world, asking(`What is the capital of country ${at}?`));
    expect(world.embedded).toHaveLength(5);
    world.clock.advance(10_000);
    await stored(world, asking(question));
    expect(world.embedded).toHaveLength(6);
  });

  it('pauses the embedder only for the tenant whose requests failed', async () => {
    const world = open(async ({ tenant }) => {
      if (tenant === 'flood') throw new Error('refused');
      return [1, 0];
    });
    for (let at = 0; at < 8; at += 1) await stored(world, askingFor('flood', `What is the capital of country ${at}?`));
    expect(world.embedded).toHaveLength(5);
    await stored(world, askingFor('calm', question));
    expect(findText(await world.cache.read(askingFor('calm', sameQuestion)))).toBe('answer');
  });

  it('does not count failures caused by disconnected clients', async () => {
    const world = open(async ({ cancellation }) => {
      if (cancellation?.cancelled === true) throw new Error('left');
      return [1, 0];
    });
    await stored(world, asking(question));
    const { cancellation, cancel } = createCancellation();
    cancel();
    const left = asking(sameQuestion);
    for (let at = 0; at < 8; at += 1) await world.cache.read({ ...left, request: { ...left.request, cancellation } });
    expect(findText(await world.cache.read(asking(sameQuestion)))).toBe('answer');
  });

  it('embeds at most a hundred texts of one tenant at once, without affecting other tenants', async () => {
    const world = open(() => new Promise(() => {}));
    for (let at = 0; at < 110; at += 1)
      await stored(world, askingFor('flood', `What is the capital of country ${at}?`));
    expect(world.embedded).toHaveLength(100);
    await stored(world, askingFor('calm', question));
    expect(world.embedded).toHaveLength(101);
  });

  const body = (more: JsonObject = {}, content: string = sameQuestion): JsonObject => ({
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content },
    ],
    ...more,
  });
  it.each<[string, CacheKey]>([
    ['model', keyFor(body({ model: 'other' }))],
    ['temperature', keyFor(body({ temperature: 1 }))],
    ['tools', keyFor(body({ tools: [{ type: 'function', function: { name: 'a' } }] }))],
    ['answer format', keyFor(body({ response_format: { type: 'json_object' } }))],
    ['user', keyFor(body({ user: 'ann' }))],
    ['stream', keyFor(body({ stream: true }))],
    ['scope, which contains tenant, credential and metadata', keyFor(body(), { scope: 'other' })],
    [
      'system prompt',
      keyFor(
        body({
          messages: [
            { role: 'system', content: 'Be long.' },
            { role: 'user', content: sameQuestion },
          ],
        }),
      ),
    ],
    [
      'earlier turns',
      keyFor(
        body({
          messages: [
            { role: 'user', content: 'Hello' },
            { role: 'assistant', content: 'Hi' },
            { role: 'user', content: sameQuestion },
          ],
        }),
      ),
    ],
    [
      'media',
      keyFor(
        body({
          messages: [
            { role: 'system', content: 'Be brief.' },
            {
              role: 'user',
              content: [
                { type: 'text', text: sameQuestion },
                { type: 'image_url', image_url: { url: 'https://a/b.png' } },
              ],
            },
          ],
        }),
      ),
    ],
  ])('returns no answer of a request with a different %s', async (_, key) => {
    const world = open();
    await stored(world, keyFor(body({}, question)));
    expect((await world.cache.read(key)).kind).toBe('miss');
    expect((await world.cache.read(keyFor(body()))).kind).toBe('hit');
  });
});
