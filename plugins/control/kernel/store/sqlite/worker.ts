/** The thread in which all of SQLite runs, since its calls block: it is asked questions, and answers them in their order. */
import { answerQuestions } from '../asked-thread.ts';
import { StoreError } from '../store.ts';
import { toFailure } from './failure.ts';
import type { Question, StatementResult } from './messages.ts';
import { copyFile, type OpenFile, openFile } from './open-file.ts';

let opened: OpenFile | undefined;
let concerned = '';

const file = (): OpenFile => {
  if (opened === undefined) throw new StoreError('The store is not open.');
  return opened;
};

const answer = async (question: Question): Promise<StatementResult | undefined> => {
  switch (question.kind) {
    case 'open':
      concerned = question.file;
      opened = openFile(question.file, question);
      return undefined;
    case 'run':
      return file().run(question);
    case 'rollback':
      file().rollback(question.on);
      return undefined;
    case 'perform': {
      // Most threads have no job to do.
      const { performHere } = await import('./perform-here.ts');
      await performHere(file(), { ...question, concerned });
      return undefined;
    }
    case 'copy':
      concerned = question.to;
      copyFile(question.file, question.to);
      return undefined;
    case 'close':
      opened?.close();
      opened = undefined;
      return undefined;
  }
};

answerQuestions(answer, (error) => toFailure(error, concerned));
