import type { TuningAccount } from '../../support/vendors/tuning/tuning-accounts.ts';
import type { Case } from './case.ts';

interface TuningCase {
  readonly slug: string;
  readonly account: TuningAccount;
  /** Makes all jobs of the vendor end. */
  finish(): void;
}

/** Creates, watches and cancels a job while answers are wrong, and reads it when they are right again. */
export const tuningCase = async (
  { random, vendor, ask, note }: Case,
  { slug, account: { model, trainingFile, more = {} }, finish }: TuningCase,
): Promise<void> => {
  const headers = { 'x-gw-virtual-key': slug };
  const body = {
    ...{ model, training_file: trainingFile, suffix: 's', ...more },
    method: { type: 'supervised', supervised: { hyperparameters: { n_epochs: 3 } } },
  };
  const jobs = '/fine_tuning/jobs';
  const create = () => ask({ operation: 'create_fine_tuning_job', path: jobs, headers, body });
  if (random.oneIn(2)) {
    vendor.begin(random, 'any', 1 + random.below(2));
    await create();
    vendor.end();
  }
  const made = await create();
  note(made.status === 200, 'a job is made again after a bad answer');
  const id = encodeURIComponent(String(made.body.id));
  const retrieve = () => ask({ operation: 'retrieve_fine_tuning_job', path: `${jobs}/${id}`, headers });
  const list = () => ask({ operation: 'list_fine_tuning_jobs', path: `${jobs}?limit=3`, headers });
  const asks = [
    ...[retrieve, retrieve, list],
    () => ask({ operation: 'list_fine_tuning_checkpoints', path: `${jobs}/${id}/checkpoints`, headers }),
    () => ask({ operation: 'list_fine_tuning_events', path: `${jobs}/${id}/events`, headers }),
    ...(['cancel', 'pause', 'resume'] as const).map(
      (move) => () => ask({ operation: `${move}_fine_tuning_job`, path: `${jobs}/${id}/${move}`, headers }),
    ),
  ];
  if (random.oneIn(2)) finish();
  vendor.begin(random, random.oneIn(6) ? 'endless' : 'any', 6);
  for (let left = 3; left > 0; left -= 1) await random.pick(asks)();
  vendor.begin(random, 'each value', Number.POSITIVE_INFINITY);
  for (let left = 8; left > 0; left -= 1) await random.pick(asks)();
  vendor.end();
  note((await retrieve()).status === 200, 'a job is not shown when answers are right again');
  note((await list()).status === 200, 'jobs are not listed when answers are right again');
};
