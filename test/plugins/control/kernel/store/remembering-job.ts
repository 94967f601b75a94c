import type { Job } from '../../../../../plugins/control/kernel/store/job.ts';
import type { Tables } from '../../../../../plugins/control/kernel/store/tables.ts';

const successes = new WeakMap<object, number>();

/** Stores how many earlier jobs of this database succeeded in the setting that its bytes name. Fails if that is `fails`. */
export const job: Job<Tables> = async (writing, { bytes, database, onSuccess }) => {
  const name = Buffer.from(bytes).toString();
  const before = successes.get(database) ?? 0;
  onSuccess(() => successes.set(database, before + 1));
  await writing
    .insertInto('settings')
    .values({ name, value: String(before) })
    .execute();
  if (name === 'fails') throw new Error('no');
};
