import { describe, expect, it } from 'vitest';
import { batchClient, toIds, toLines } from './support/batch-client.ts';
import { answerSlowly, batchProcesses, hasPostgres, lineCost } from './support/batch-processes.ts';

/** 50,000 is the most that a batch may have. */
const count = Number(process.env.BATCH_LINES ?? 300);
const timeout = 20 * 60_000;

describe.runIf(hasPostgres)('three gateways on one PostgreSQL', () => {
  it(
    'run a batch together: two are killed, and yet each line has one result and all usage is in the ledger',
    async () => {
      const { upstream, start, booked } = await batchProcesses(answerSlowly);
      const [first, second, last] = [await start(), await start(), await start()];
      const { upload, create, get, over, readFiles } = batchClient(() => last);
      const { id } = await create(await upload(toLines(count)));

      const ended = over(id, { count, timeout });
      for (const [gateway, part] of [
        [first, 0.2],
        [second, 0.5],
      ] as const) {
        const ran = async (): Promise<number> => (await get(id)).request_counts.completed;
        await expect.poll(ran, { timeout, interval: 20 }).toBeGreaterThan(count * part);
        gateway.signal('SIGKILL');
        await gateway.exited;
      }

      const batch = await ended;
      expect(batch).toMatchObject({
        status: 'completed',
        request_counts: { total: count, completed: count, failed: 0 },
      });
      expect(batch).not.toHaveProperty('error_file_id');
      await readFiles(batch, toIds(count));
      expect(Math.round(batch.cost * 1e9)).toBe(count * lineCost);

      // The lines that the killed gateways had sent are sent again, and cost again.
      const sent = upstream.requests.length;
      expect(sent).toBeGreaterThanOrEqual(count);
      expect(upstream.requests.every((request) => request.header('authorization') === 'Bearer sk-main')).toBe(true);
      await expect.poll(async () => (await booked(id)).lines).toBe(count);
      const { reported, nanoUsd } = await booked(id);
      expect(reported).toBeLessThanOrEqual(sent);
      expect(nanoUsd).toBe(reported * lineCost);
    },
    timeout,
  );
});
