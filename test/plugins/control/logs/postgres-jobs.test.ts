import { expect, it } from 'vitest';
import { StoreError } from '../../../../plugins/control/kernel/store/store.ts';
import { describePostgresLog } from './support/log-stores.ts';

const exitingJob = new URL('../kernel/store/exiting-job.ts', import.meta.url);
const threadJob = new URL('../kernel/store/thread-job.ts', import.meta.url);

describePostgresLog('jobs of a log', (log) => {
  it('run in their own thread, and in a new one if that exits', async () => {
    const { store } = log();
    await expect(store.perform(exitingJob, new Uint8Array())).rejects.toThrow(StoreError);
    await expect(store.perform(threadJob, Buffer.from(String(process.pid)))).resolves.toBeUndefined();
  });
});
