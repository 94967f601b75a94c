import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryVectors } from '../../../../plugins/caches/semantic/memory-vectors.ts';
import { postgresVectors } from '../../../../plugins/caches/semantic/postgres-vectors.ts';
import { toComparison } from '../../../../plugins/caches/semantic/similarity.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { toTenant } from '../../../support/in-process/sample-exchange.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';
import { postgresFolder, startPostgres } from '../../../support/servers/postgres-server.ts';
import { tenant, unit, vectorsContract } from './vectors-contract.ts';

const maxBytes = 1024 * 1024;

vectorsContract('memory', async () => {
  const clock = createVirtualClock();
  const vectors = memoryVectors({ maxBytes }, clock);
  return { vectors, pass: (ms) => clock.advance(ms), stop: () => vectors.close() };
});

const folder = postgresFolder();

if (folder === undefined) {
  it.skip('vectors in PostgreSQL: it is not installed (apt-get install postgresql)', () => {});
} else {
  vectorsContract('PostgreSQL', async () => {
    const clock = createVirtualClock();
    const server = await startPostgres(folder);
    const vectors = postgresVectors({ url: server.url, timeoutMs: 5000 }, clock);
    return {
      vectors,
      pass: (ms) => clock.advance(ms),
      async stop() {
        await vectors.close();
        await server.stop();
      },
    };
  });

  it('vectors in PostgreSQL are shared by every client of the same server', async () => {
    const clock = createVirtualClock();
    const server = await startPostgres(folder);
    const open = () => postgresVectors({ url: server.url, timeoutMs: 5000 }, clock);
    const [one, other] = [open(), open()];
    await one.add({ tenant, partition: 'p', id: 'a', vector: unit(3, 4), ttlS: 60 });
    expect(await other.nearest('p', unit(3, 4), 0.999)).toMatchObject([{ id: 'a' }]);
    await Promise.all([one.close(), other.close()]);
    await server.stop();
  });
}

describe('an unreachable PostgreSQL', () => {
  it('rejects each call, and the next call connects again', async () => {
    const vectors = postgresVectors(
      { url: 'postgres://gateway@127.0.0.1:1/postgres', timeoutMs: 5000 },
      createVirtualClock(),
    );
    await expect(vectors.has('p')).rejects.toThrow('ECONNREFUSED');
    await expect(vectors.has('p')).rejects.toThrow('ECONNREFUSED');
    await vectors.close();
  });
});

describe('vectors in memory', () => {
  it('stay within their byte limit by evicting the least recently used', async () => {
    const vectors = memoryVectors({ maxBytes: 3 * 600 }, createVirtualClock());
    const add = (id: string) => vectors.add({ tenant, partition: id, id, vector: unit(1, 0), ttlS: 60 });
    for (const id of ['a', 'b', 'c']) await add(id);
    await vectors.nearest('a', unit(1, 0), 0.9);
    await add('d');
    const kept = await Promise.all(['a', 'b', 'c', 'd'].map((id) => vectors.has(id)));
    expect(kept).toEqual([true, false, true, true]);
  });

  it('are not evicted by those of a tenant that stores many', async () => {
    const vectors = memoryVectors({ maxBytes: 4 * 600 }, createVirtualClock());
    const add = (of: string, id: string) =>
      vectors.add({ tenant: toTenant(of), partition: id, id, vector: unit(1, 0), ttlS: 60 });
    await add('quiet', 'kept');
    for (let at = 0; at < 20; at += 1) await add('busy', `busy ${at}`);
    expect(await vectors.has('kept')).toBe(true);
    expect(await vectors.has('busy 19')).toBe(true);
    expect(await vectors.has('busy 0')).toBe(false);
  });

  it('are not stored if one alone exceeds the limit', async () => {
    const vectors = memoryVectors({ maxBytes: 1000 }, createVirtualClock());
    await vectors.add({ tenant, partition: 'p', id: 'a', vector: new Float32Array(1000).fill(1), ttlS: 60 });
    expect(await vectors.has('p')).toBe(false);
  });

  it('are searched exactly: every vector that is similar enough is found', async () => {
    const coordinate = fc.integer({ min: -5, max: 5 });
    const vector = fc.tuple(coordinate, coordinate, coordinate).filter((values) => values.some((value) => value !== 0));
    const law = fc.asyncProperty(fc.array(vector, { maxLength: 20 }), vector, async (all, asked) => {
      const vectors = memoryVectors({ maxBytes }, createVirtualClock());
      for (const [at, values] of all.entries())
        await vectors.add({ tenant, partition: 'p', id: String(at), vector: unit(...values), ttlS: 60 });
      const length = (values: readonly number[]): number => Math.hypot(...values);
      const cosine = (values: readonly number[]): number =>
        values.reduce((sum, value, at) => sum + value * (asked[at] ?? 0), 0) / (length(values) * length(asked));
      const compared = all.map((values, at) => ({ id: String(at), similarity: cosine(values) }));
      const expected = compared.filter(({ similarity }) => similarity >= 0.8 - 1e-6);
      const least = Math.max(...compared.map(({ similarity }) => similarity));
      const { alike, nearMiss } = toComparison(await vectors.nearest('p', unit(...asked), 0.8), 0.8);
      const byId = (left: { readonly id: string }, right: { readonly id: string }): number =>
        Number(left.id) - Number(right.id);
      expect([...alike].sort(byId)).toEqual(
        expected.map(({ id, similarity }) => ({ id, similarity: expect.closeTo(similarity, 5) })),
      );
      expect(nearMiss?.similarity).toEqual(
        expected.length > 0 || all.length === 0 ? undefined : expect.closeTo(least, 5),
      );
    });
    await fc.assert(law, { ...lawRuns, numRuns: Math.min(lawRuns.numRuns, 300) });
  });
});
