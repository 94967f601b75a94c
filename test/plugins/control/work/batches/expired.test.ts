import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import type { Clock } from '../../../../../plugins/sdk/clock.ts';
import { systemClock } from '../../../../../runtime/in-memory/system-clock.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { type AnswerLine, type BatchWorld, batchWorld, inputLines } from './support/batch-world.ts';

const hour = 3_600_000;
const count = 60;

interface Passing {
  readonly world: BatchWorld;
  readonly store: Store;
  pass(ms: number): Promise<void>;
}

/** Creates a world in which the test lets time pass. */
const passing = async (answer: AnswerLine): Promise<Passing> => {
  const folder = temporaryFolder();
  const store = await openStore({ url: `${folder}/gateway.db` });
  let passed = 0;
  const clock: Clock = { ...systemClock, wall: () => systemClock.wall() + passed };
  const world = await batchWorld({ store, folder: `${folder}/files`, answer, clock });
  onTestFinished(async () => {
    await world.close();
    await store.close();
  });
  return {
    ...{ world, store },
    async pass(ms) {
      // As if the leases had been renewed in the meantime.
      await store.write((writing) =>
        writing
          .updateTable('jobs')
          .set(({ eb }) => ({ due_at: eb('due_at', '+', ms) }))
          .where('is_held', '=', 1)
          .execute(),
      );
      passed += ms;
    },
  };
};

it.each([
  ['', 0],
  [', even if the job that ends it is due later than its lanes', 100 * hour],
])('a batch expires 24 hours after its creation, with the results so far%s', async (_, delay) => {
  let sent = 0;
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<object>();
  const { world, store, pass } = await passing(() => {
    sent += 1;
    if (sent === 4) begun.resolve();
    return sent > 3 ? gate.promise : {};
  });
  const { upload, create, get, over, lines, state } = world;
  const { id, created_at, expires_at } = await create(await upload(inputLines(count)));
  expect(Number(expires_at) - Number(created_at)).toBe(86_400);
  await begun.promise;
  await store.write((writing) =>
    writing
      .updateTable('jobs')
      .set(({ eb }) => ({ due_at: eb('due_at', '+', delay) }))
      .where('kind', '=', 'batch-end')
      .execute(),
  );
  await pass(23 * hour);
  expect(await get(id)).toMatchObject({ status: 'in_progress' });
  await pass(hour + 1000);
  // The batch waits for requests in progress.
  setTimeout(() => gate.resolve({}), 1000);
  const batch = await over(id);
  const ran = state.sent;
  expect(batch).toMatchObject({ status: 'expired', expired_at: expect.any(Number) });
  const [output, errors] = [await lines(batch.output_file_id), await lines(batch.error_file_id)];
  expect(output.length).toBe(ran);
  expect(errors.every(({ error }) => Object(error).code === 'batch_expired')).toBe(true);
  expect(batch.request_counts).toEqual({ total: count, completed: ran, failed: count - ran });
  expect(errors.length).toBe(count - ran);
  await expect.poll(() => store.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
  expect(state.sent).toBe(ran);
});
