/** The thread in which jobs run. Neither their computation nor their connection delays other work. */
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

/** Opens enough connections that jobs wait for each other in the database, and never for a connection. */
const open = async (options: Omit<JobThreadOptions, 'inTurn'>): Promise<Kysely<never>> => {
  const pool = openPool(await importPg(), { ...options, connections: 4 });
  return new Kysely<never>({ dialect: new PostgresDialect({ pool }) });
};

type RunJob = (job: Omit<JobQuestion & { readonly kind: 'perform' }, 'kind'>) => Promise<void>;

/** Creates the function that runs jobs with these options, on connections that the first job opens. */
const createJobRunner = ({
  inTurn,
  ...options
}: JobThreadOptions): { readonly run: RunJob; close(): Promise<void> } => {
  let opened: Promise<Kysely<never>> | undefined;
  return {
    async run({ job, bytes }) {
      opened ??= open(options);
      const db = await opened;
      await runJob<never>(inTurn ? transactIn(db, options.where) : transactAtOnce(db), {
        ...{ module: job, kind: 'postgres', bytes, database: db },
      });
    },
    close: async () => opened?.then((db) => db.destroy()).catch(() => {}),
  };
};

/** Converts an error for the other thread. */
const toFailure = (error: unknown): Failure => {
  const failure = { message: errorText(error), code: findSqlState(error) };
  return error instanceof StoreError ? { ...failure, store: true } : failure;
};

answerQuestions<JobQuestion, void>(() => {
  let runner: ReturnType<typeof createJobRunner> | undefined;
  return {
    async answer(question) {
      if (question.kind === 'open') runner = createJobRunner(question);
      else if (question.kind === 'perform') await runner?.run(question);
      else await runner?.close();
    },
    toFailure,
  };
});
