import type { Granted, Refused, Unavailable } from '../../../../../plugins/control/limits/limits.ts';

type Answer = Granted | Refused | Unavailable;

/** An answer of counters as plain data: what is granted says how full they are only when it is asked. */
export const answerOf = async (given: Answer | Promise<Answer>): Promise<Answer> => {
  const answer = await given;
  return answer.kind === 'granted' ? { kind: answer.kind, counters: answer.counters } : answer;
};
