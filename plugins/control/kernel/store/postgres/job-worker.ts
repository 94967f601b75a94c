/** The thread in which jobs run. Neither their computation nor their connection delays other work. */
import { workerData } from 'node:worker_threads';
import { Kysely, PostgresDialect } from 'kysely';
import { errorText } from '../../../../../schema/text/error-text.ts';
import { answerQuestions } from '../answer-questions.ts';
import { runJob } from '../job.ts';
import { StoreError } from '../store.ts';
import type { Failure } from '../thread-failure.ts';
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

/** Opens enough connections that jobs wait for each other in the database, and never for a connection. */
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

/** Converts an error for the other thread. */
const toFailure = (error: unknown): Failure => {
  const failure = { message: errorText(error), code: findSqlState(error) };
  return error instanceof StoreError ? { ...failure, store: true } : failure;
};

answerQuestions(() => ({ answer, toFailure }));
