import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxInPartition } from '../../../../plugins/caches/semantic/max-in-partition.ts';
import { toComparison, toUnit } from '../../../../plugins/caches/semantic/similarity.ts';
import type { Vectors } from '../../../../plugins/sdk/cache/vectors.ts';
import type { TenantId } from '../../../../plugins/sdk/exchange/exchange.ts';
import { toTenant } from '../../../support/in-process/sample-exchange.ts';

export interface VectorsWorld {
  readonly vectors: Vectors;
  /** Lets the given number of milliseconds pass. */
  pass(ms: number): void;
  stop(): Promise<void>;
}

/** The tenant of all rows. */
export const tenant: TenantId = toTenant('tenant');

/** Returns a vector of length 1. */
export const unit = (...values: readonly number[]): Float32Array => toUnit(values) ?? new Float32Array();

/** The contract of every vector store. Each test uses partitions of its own. */
export const vectorsContract = (name: string, open: () => Promise<VectorsWorld>): void => {
  describe(`vectors in ${name}`, () => {
    let world: VectorsWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.stop());

    const add = (partition: string, id: string, vector: Float32Array, ttlS = 60): Promise<void> =>
      world.vectors.add({ tenant, partition, id, vector, ttlS });

    /** The ids of the vectors that are similar enough. */
    const alikeIds = async (partition: string, vector: Float32Array, least: number): Promise<readonly string[]> =>
      toComparison(await world.vectors.nearest(partition, vector, least), least).alike.map(({ id }) => id);

    it('are found from the requested similarity upwards, most similar first', async () => {
      await add('angles', 'right', unit(1, 0));
      await add('angles', 'near', unit(1, 0.2));
      await add('angles', 'far', unit(0, 1));
      expect(await alikeIds('angles', unit(1, 0.05), 0.95)).toEqual(['right', 'near']);
      expect(await alikeIds('angles', unit(1, 0), 1)).toEqual(['right']);
      expect(await alikeIds('angles', unit(-1, 0), 0.5)).toEqual([]);
    });

    it('have the cosine as their similarity, and the closest one is returned if none is similar enough', async () => {
      await add('cosines', 'same', unit(3, 4));
      await add('cosines', 'near', unit(4, 3));
      await add('cosines', 'opposite', unit(-3, -4));
      const similar = (similarity: number) => expect.closeTo(similarity, 6);
      expect(await world.vectors.nearest('cosines', unit(3, 4), 0.9)).toEqual([
        { id: 'same', similarity: similar(1) },
        { id: 'near', similarity: similar(0.96) },
      ]);
      expect(await world.vectors.nearest('cosines', unit(1, 0), 0.9)).toEqual([
        { id: 'near', similarity: similar(0.8) },
      ]);
      expect(await world.vectors.nearest('cosines', unit(-3, -4), -1)).toEqual([
        { id: 'opposite', similarity: similar(1) },
        { id: 'near', similarity: similar(-0.96) },
        { id: 'same', similarity: similar(-1) },
      ]);
    });

    it('are found only in their own partition', async () => {
      await add('mine', 'a', unit(1, 0));
      expect(await world.vectors.nearest('yours', unit(1, 0), 0.9)).toEqual([]);
      expect([await world.vectors.has('mine'), await world.vectors.has('yours')]).toEqual([true, false]);
    });

    it('are replaced by id and can be removed', async () => {
      await add('changing', 'a', unit(1, 0));
      await add('changing', 'a', unit(0, 1));
      expect(await alikeIds('changing', unit(1, 0), 0.9)).toEqual([]);
      expect(await alikeIds('changing', unit(0, 1), 0.9)).toEqual(['a']);
      await world.vectors.remove('changing', 'a');
      expect(await world.vectors.has('changing')).toBe(false);
      await world.vectors.remove('changing', 'a');
    });

    it('expire after their time to live', async () => {
      await add('ending', 'a', unit(1, 0), 10);
      world.pass(9999);
      expect(await world.vectors.has('ending')).toBe(true);
      world.pass(1);
      expect(await world.vectors.has('ending')).toBe(false);
      expect(await world.vectors.nearest('ending', unit(1, 0), 0.9)).toEqual([]);
    });

    it('with different dimensions are never similar', async () => {
      await add('dimensions', 'a', unit(1, 0, 0));
      expect(await world.vectors.nearest('dimensions', unit(1, 0), 0.5)).toEqual([]);
    });

    it('are limited to a maximum per partition, which keeps the newest', async () => {
      for (let at = 0; at <= maxInPartition; at += 1) {
        world.pass(1);
        await add('full', `id ${at}`, unit(1, 0), 600);
      }
      const found = await alikeIds('full', unit(1, 0), 0.9);
      expect(found).toHaveLength(maxInPartition);
      expect(found).not.toContain('id 0');
    });
  });
};
