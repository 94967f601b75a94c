import type { Job } from '../../../../../plugins/control/kernel/store/job.ts';
import type { Tables } from '../../../../../plugins/control/kernel/store/tables.ts';

/** Stores its bytes as hexadecimal digits in the setting `given`. */
export const job: Job<Tables> = async (writing, { bytes }) => {
  await writing
    .insertInto('settings')
    .values({ name: 'given', value: Buffer.from(bytes).toString('hex') })
    .execute();
};
