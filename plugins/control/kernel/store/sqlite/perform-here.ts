import { Kysely } from 'kysely';
import { fromFailure } from '../asked-thread.ts';
import { runJob } from '../job.ts';
import { toFailure } from './failure.ts';
import type { StatementResult } from './messages.ts';
import type { OpenFile } from './open-file.ts';
import type { SqliteThread } from './sqlite-thread.ts';
import { threadDialect } from './thread-dialect.ts';

export interface HereOptions {
  /** The URL of the module. */
  readonly job: string;
  readonly bytes: Uint8Array;
  /** The file, for people. */
  readonly concerned: string;
}

/** Asks and answers at once, so that nothing comes between the statements of a job. */
const askHere =
  (file: OpenFile, concerned: string): SqliteThread['ask'] =>
  async (question): Promise<StatementResult | undefined> => {
    try {
      if (question.kind === 'run') return file.run(question);
      if (question.kind === 'rollback') file.rollback(question.on);
      return undefined;
    } catch (error) {
      throw fromFailure(toFailure(error, concerned));
    }
  };

/** Runs a job in a transaction of a file that this thread has open. */
export const performHere = async (file: OpenFile, { job, bytes, concerned }: HereOptions): Promise<void> => {
  const writer = new Kysely<never>({ dialect: threadDialect({ ask: askHere(file, concerned) }, 'writer') });
  await runJob<never>((run) => writer.transaction().execute(run), {
    ...{ module: job, kind: 'sqlite', bytes, database: file },
  });
};
