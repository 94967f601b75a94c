import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import { type Store, StoreError } from '../../../../../plugins/control/kernel/store/store.ts';
import { GatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';
import { type AnswerLine, type BatchWorld, batchWorld, inputLines } from './support/batch-world.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Served {
  readonly world: BatchWorld;
  readonly store: Store;
}

/** Runs a test with a new store in a file, and closes the store afterwards. */
const withWorld = async (
  {
    answer,
    stores,
    leaseMs,
  }: { readonly answer: AnswerLine; readonly stores?: (store: Store) => readonly Store[]; readonly leaseMs?: number },
  run: (served: Served) => Promise<void>,
): Promise<void> => {
  const folder = temporaryFolder();
  const store = await openStore({ url: `${folder}/gateway.db` });
  const world = await batchWorld({
    ...{ store, folder: `${folder}/files`, answer },
    ...(stores === undefined ? {} : { stores: stores(store) }),
    ...(leaseMs === undefined ? {} : { leaseMs }),
  });
  try {
    await run({ world, store });
  } finally {
    await world.close();
    await store.close();
  }
};

const toIds = (lines: readonly JsonObject[]): readonly string[] => lines.map(({ custom_id }) => String(custom_id));

const all = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `line-${at}`).sort();

/** Reads both files of a batch that has ended. Expects each line in one of them, and counts that match them. */
const checkFiles = async ({ lines }: BatchWorld, batch: JsonObject, count: number) => {
  const [output, errors] = [await lines(batch.output_file_id), await lines(batch.error_file_id)];
  expect([...toIds(output), ...toIds(errors)].sort()).toEqual(all(count));
  expect(batch.request_counts).toEqual({ total: count, completed: output.length, failed: errors.length });
  return { output, errors };
};

it('ends a batch that is cancelled at any moment with the results so far, and runs nothing afterwards', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 120 }), fc.nat(1000), async (count, moment) => {
      const at = moment % (count + 1);
      let sent = 0;
      let cancel = async (): Promise<void> => {};
      const answer: AnswerLine = async () => {
        sent += 1;
        if (sent === at) await cancel();
        await turn();
        return {};
      };
      await withWorld({ answer }, async ({ world, store }) => {
        const { upload, create, over, state, jobs } = world;
        const file = await upload(inputLines(count));
        const { id } = await create(file);
        cancel = async () => void expect(await world.cancel(id)).toMatchObject({ status: 'cancelling' });
        if (at === 0) await cancel();
        const batch = await over(id);
        expect(batch).toMatchObject({ status: 'cancelled', cancelling_at: expect.any(Number) });
        const ran = state.sent;
        // A batch that is cancelled before its file was read has no lines yet.
        const { output, errors } = await checkFiles(
          world,
          batch,
          at === 0 ? Number(Object(batch.request_counts).total) : count,
        );
        expect(output.length).toBe(ran);
        expect(errors.every(({ error }) => Object(error).code === 'batch_cancelled')).toBe(true);
        jobs.wake();
        await expect.poll(async () => await store.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
        expect([state.sent, state.underWay]).toEqual([ran, 0]);
        await expect(world.cancel(id)).rejects.toThrow(GatewayError);
      });
    }),
    { numRuns: Math.ceil(lawRuns.numRuns / 100) },
  );
});

it('keeps each result once if a process stops at any moment, or resumes after others have taken its lines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 150 }), fc.nat(1000), fc.boolean(), async (count, moment, goesOn) => {
      const at = 1 + (moment % count);
      let sent = 0;
      let isStopped = false;
      const released = Promise.withResolvers<object>();
      const stopped = (store: Store): Store => ({
        ...store,
        write: (run) =>
          isStopped
            ? Promise.reject(new StoreError('This process has stopped.'))
            : store.write((writing) => run(writing)),
      });
      const answer: AnswerLine = async () => {
        sent += 1;
        if (sent === at) isStopped = true;
        if (isStopped && sent < at + 8) return released.promise;
        await turn();
        return {};
      };
      // The first process finishes everything that it has begun when it resumes.
      await withWorld({ answer, leaseMs: 150, stores: (store) => [store, stopped(store)] }, async ({ world }) => {
        const { upload, create, over, get } = world;
        const { id } = await create(await upload(inputLines(count)));
        const counted: number[] = [0];
        const watched = expect.poll(
          async () => {
            const { status, request_counts: counts } = await get(id);
            const { total, completed, failed } = Object(counts);
            counted.push(total === 0 ? 0 : completed + failed);
            if (isStopped) setTimeout(() => released.resolve({}), goesOn ? 400 : 0);
            return status;
          },
          { interval: 5 },
        );
        await watched.toBe('completed');
        const { output } = await checkFiles(world, await over(id), count);
        expect(output).toHaveLength(count);
        expect(counted).toEqual(counted.toSorted((one, other) => one - other));
        expect(counted.at(-1)).toBe(count);
      });
    }),
    { numRuns: Math.ceil(lawRuns.numRuns / 200) },
  );
});
