/** The thread in which jobs run: what they make of their bytes, and what their connection takes, holds up nobody else. */
import { workerData } from 'node:worker_threads';
import { Kysely, PostgresDialect } from 'kysely';
import { errorText } from '../../../../../schema/text/error-text.ts';
import { answerQuestions, type Failure } from '../asked-thread.ts';
import { runJob } from '../job.ts';
import { StoreError } from '../store.ts';
import {
  findSqlState,
  importPg,
  type JobQuestion,
  type JobThreadOptions,
  openPool,
  transactAtOnce,
  transactIn,
} from './pool.ts';

const { where, inTurn, ...options }: JobThreadOptions = workerData;

/** Opens as many connections as jobs wait for each other in the database, for which none of them waits here. */
const open = async (): Promise<Kysely<never>> => {
  const pool = openPool(await importPg(), { ...options, where, connections: 4 });
  return new Kysely<never>({ dialect: new PostgresDialect({ pool }) });
};
let opened: Promise<Kysely<never>> | undefined;

const answer = async (question: JobQuestion | { readonly kind: 'close' }): Promise<void> => {
  if (question.kind === 'close') return opened?.then((db) => db.destroy()).catch(() => {});
  opened ??= open();
  const db = await opened;
  await runJob<never>(inTurn ? transactIn(db, where) : transactAtOnce(db), {
    ...{ module: question.job, kind: 'postgres', bytes: question.bytes, database: db },
  });
};

/** Describes an error for the other thread. */
const toFailure = (error: unknown): Failure => {
  const failure = { message: errorText(error), code: findSqlState(error) };
  return error instanceof StoreError ? { ...failure, store: true } : failure;
};

answerQuestions(answer, toFailure);
