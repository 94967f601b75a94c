import { withCounts, withoutRefusal } from '../clients/expected.ts';
import type { Family } from '../families.ts';
import type { Answer, Call, Received } from '../scenario.ts';

/** Calls without ids of their own arrive with ids that distinguish them, or, for Gemini clients, perhaps without ids. */
const withReceivedIds = (calls: readonly Call[], received: readonly Call[], mayHaveNone: boolean): readonly Call[] => {
  const ids = received.map(({ id }) => id);
  const areApart = new Set(ids).size === ids.length && !ids.includes('');
  return areApart || mayHaveNone ? calls.map((call, at) => ({ ...call, id: ids[at] ?? '' })) : calls;
};

export interface AnswerOf {
  readonly answer: Answer;
  readonly family: Family;
  /** The client's dialect. */
  readonly client: string;
  readonly received: Received;
}

/** Returns a family's version of a scenario's answer: its format may not have refusals, all counts, or ids of calls. */
export const familyAnswer = ({ answer, family, client, received }: AnswerOf): Answer => {
  const { upstream, callIds } = family;
  const said = withCounts(family.lacks.includes('refusal') ? withoutRefusal(answer) : answer, upstream.counts);
  if (said.kind === 'error' || said.calls === undefined || callIds !== 'none') return said;
  return { ...said, calls: withReceivedIds(said.calls, received.calls, client === upstream.dialect) };
};
