import type { Question, SqliteThread, StatementResult } from './sqlite-thread.ts';

/** A question about a file that several processes share. */
export interface SharedQuestion {
  readonly question: Question;
  /** The number that the asking process has given to its transaction; absent outside of a transaction. */
  readonly transaction?: number | undefined;
}

export const isBegin = (question: Question): boolean => question.kind === 'run' && question.sql === 'begin immediate';
export const isCommit = (question: Question): boolean => question.kind === 'run' && question.sql === 'commit';

const rollback: Question = { kind: 'rollback', on: 'writer' };

/** Asks on behalf of one process. Each of its transactions gets a number, so that none continues in place of another. */
export const numberTransactions = (
  ask: (asked: SharedQuestion) => Promise<StatementResult | undefined>,
): SqliteThread['ask'] => {
  let last = 0;
  /** The open transaction. */
  let current: number | undefined;

  const begin = async (question: Question): Promise<StatementResult | undefined> => {
    last += 1;
    const transaction = last;
    try {
      const result = await ask({ question, transaction });
      current = transaction;
      return result;
    } catch (error) {
      // It may begin after its answer is no longer awaited.
      void ask({ question: rollback, transaction }).catch(() => {});
      throw error;
    }
  };

  return async (question) => {
    if (isBegin(question)) return begin(question);
    const isOfTransaction = 'on' in question && question.on === 'writer';
    const result = await ask(isOfTransaction ? { question, transaction: current } : { question });
    if (isCommit(question) || question.kind === 'rollback') current = undefined;
    return result;
  };
};
