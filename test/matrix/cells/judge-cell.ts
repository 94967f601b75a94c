import type { ClientDriver } from '../clients/client-driver.ts';
import { lastStep } from '../clients/expected.ts';
import type { Family } from '../families.ts';
import type { Heard, Scenario } from '../scenario.ts';
import { coveringLoss } from './covering-loss.ts';
import { declaredLosses } from './declared-losses.ts';
import { answerDifferences, type Difference, requestDifferences, retryDifferences } from './facets.ts';
import { familyAnswer } from './family-answer.ts';
import type { CellResult } from './run-cell.ts';

export interface Verdict {
  /** The members that were lost as declared. */
  readonly lost: readonly string[];
  /** Whether the provider's format lacks the feature, which is therefore sent as text. */
  readonly isText: boolean;
  /** The undeclared differences. */
  readonly errors: readonly Difference[];
}

export interface JudgedCell extends CellResult {
  readonly client: ClientDriver;
  readonly family: Family;
  readonly scenario: Scenario;
  readonly stream: boolean;
}

const judgeHeard = (cell: JudgedCell, heard: readonly Heard[], last: Heard): Verdict => {
  const { client, family, scenario, stream, received, proves, sendsRetryAfter } = cell;
  const declared = declaredLosses(family, client.dialect);
  const step = lastStep(scenario, stream, proves);
  const answer = familyAnswer({ answer: step.answer, family, client: client.dialect, received });
  const sender = { client, model: family.model, hasOwnIds: family.callIds !== 'kept' };
  const differences = [
    ...requestDifferences(step, sender, last),
    ...answerDifferences(answer, client, received),
    ...retryDifferences(scenario, { waits: received.waits, heard, sendsRetryAfter }),
  ];
  const judged = differences.map((difference) => ({
    difference,
    loss: coveringLoss(difference, declared, received.dropped),
  }));
  return {
    lost: [...new Set(judged.flatMap(({ loss }) => loss ?? []))],
    isText: family.lacks.includes(scenario.id),
    errors: judged.flatMap(({ difference, loss }) => (loss === undefined ? [difference] : [])),
  };
};

const refused = (got: string): Verdict => ({
  lost: [],
  isText: false,
  errors: [{ side: 'request', facet: 'refused', expected: undefined, got }],
});

/** Judges what a cell of the matrix lost and should not have lost. The vendor must not have rejected any request. */
export const judgeCell = (cell: JudgedCell): Verdict => {
  const errors = cell.heard.filter((each) => each instanceof Error);
  const heard = cell.heard.filter((each): each is Heard => !(each instanceof Error));
  const last = heard.at(-1);
  const [error] = errors;
  if (error !== undefined || last === undefined) return refused(error?.message ?? 'It was not asked.');
  return judgeHeard(cell, heard, last);
};
