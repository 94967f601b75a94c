import { parentPort } from 'node:worker_threads';
import type { Close, GivenAnswer, ToThread } from './request-thread.ts';
import type { Failure } from './thread-failure.ts';

/** Answers the questions of one user of a thread. */
export interface Answerer<Question, Result> {
  answer(question: Question): Promise<Result>;
  toFailure(error: unknown): Failure;
}

/**
 * Answers the questions of those that use this thread, with an answerer for each user until its question of the kind `close`. Ends
 * the thread at the message `exit`.
 */
export const answerQuestions = <Question extends { readonly kind: string }, Result>(
  createAnswerer: () => Answerer<Question | Close, Result>,
): void => {
  const answerers = new Map<number, Answerer<Question | Close, Result>>();
  const findAnswerer = (user: number): Answerer<Question | Close, Result> => {
    const before = answerers.get(user);
    if (before !== undefined) return before;
    const answerer = createAnswerer();
    answerers.set(user, answerer);
    return answerer;
  };

  parentPort?.on('message', async (message: ToThread<Question>) => {
    // A server that hangs keeps connections open.
    if (message === 'exit') process.exit(0);
    const { id, user, question } = message;
    const answerer = findAnswerer(user);
    const given: GivenAnswer<Result> = await answerer.answer(question).then(
      (result) => ({ id, user, result }),
      (error) => ({ id, user, failure: answerer.toFailure(error) }),
    );
    parentPort?.postMessage(given);
    if (question.kind === 'close') answerers.delete(user);
  });
};
