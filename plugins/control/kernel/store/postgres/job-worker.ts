/** The thread in which jobs run: what they make of their bytes, and what their connection takes, holds up nobody else. */
import { parentPort, workerData } from 'node:worker_threads';
import { Kysely, PostgresDialect } from 'kysely';
import { runJob } from '../job.ts';
import { type JobAnswer, type JobQuestion, type JobThreadOptions, toJobFailure } from './job-messages.ts';
import { importPg, openPool } from './pool.ts';
import { transactAtOnce, transactIn } from './transact.ts';

const { where, inTurn, ...options }: JobThreadOptions = workerData;

/** Jobs that wait for each other in the database, for which none of them waits here. */
const connections = 4;

const open = async (): Promise<Kysely<never>> => {
  const pool = openPool(await importPg(), { ...options, where, connections });
  return new Kysely<never>({ dialect: new PostgresDialect({ pool }) });
};
let opened: Promise<Kysely<never>> | undefined;

const perform = async (job: string, bytes: Uint8Array): Promise<void> => {
  opened ??= open();
  const db = await opened;
  await runJob<never>(inTurn ? transactIn(db, where) : transactAtOnce(db), {
    module: job,
    kind: 'postgres',
    bytes,
    database: db,
  });
};

const answered = async (id: number, job: string, bytes: Uint8Array): Promise<JobAnswer> => {
  try {
    await perform(job, bytes);
    return { id };
  } catch (error) {
    return { id, failure: toJobFailure(error) };
  }
};

parentPort?.on('message', async (question: JobQuestion) => {
  if (question.kind === 'perform') {
    parentPort?.postMessage(await answered(question.id, question.job, question.bytes));
    return;
  }
  try {
    await (await opened)?.destroy();
  } finally {
    // A server that hangs keeps connections open.
    process.exit(0);
  }
});
