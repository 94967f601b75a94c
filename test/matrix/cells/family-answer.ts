import { withCounts, withoutRefusal } from '../clients/expected.ts';
import type { Family } from '../families.ts';
import type { Answer, Call, Told } from '../scenario.ts';

/** Calls without ids of their own are told with ids that tell them apart, or without any to clients of Gemini. */
const withToldIds = (calls: readonly Call[], told: readonly Call[], mayHaveNone: boolean): readonly Call[] => {
  const ids = told.map(({ id }) => id);
  const areApart = new Set(ids).size === ids.length && !ids.includes('');
  return areApart || mayHaveNone ? calls.map((call, at) => ({ ...call, id: ids[at] ?? '' })) : calls;
};

export interface AnswerOf {
  readonly answer: Answer;
  readonly family: Family;
  /** A dialect. */
  readonly client: string;
  readonly told: Told;
}

/** What a family says of a scenario's answer: its format may have no word for a refusal, not all counts, and no ids of calls. */
export const familyAnswer = ({ answer, family, client, told }: AnswerOf): Answer => {
  const { upstream, callIds } = family;
  const said = withCounts(family.lacks.includes('refusal') ? withoutRefusal(answer) : answer, upstream.counts);
  if (said.kind === 'error' || said.calls === undefined || callIds !== 'none') return said;
  return { ...said, calls: withToldIds(said.calls, told.calls, client === upstream.dialect) };
};
