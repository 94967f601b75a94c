import type {
  CounterState,
  Granted,
  Refused,
  Unavailable,
} from '../../../../../../plugins/control/metering/counters/limits.ts';

type Answer = Granted | Refused | Unavailable;

const plain = ({ policy, bucket, used, reserved, limit, resetsAt }: CounterState): CounterState => ({
  ...{ policy, bucket, used, reserved, limit },
  ...(resetsAt === undefined ? {} : { resetsAt }),
});

/** Returns an answer of counters as plain data, because a granted answer reports how full they are only on demand. */
export const readAnswer = async (given: Answer | Promise<Answer>): Promise<Answer> => {
  const answer = await given;
  return answer.kind === 'granted' ? { kind: answer.kind, counters: answer.counters.map(plain) } : answer;
};
