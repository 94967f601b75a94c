import type { ClientDriver } from '../clients/client-driver.ts';
import type { Family } from '../families.ts';
import type { Heard, Scenario } from '../scenario.ts';
import { coveringLoss } from './covering-loss.ts';
import { declaredLosses } from './declared-losses.ts';
import { answerDifferences, type Difference, requestDifferences } from './facets.ts';
import { familyAnswer } from './family-answer.ts';
import { type CellResult, refusalText } from './run-cell.ts';

export interface Verdict {
  /** The members that were lost as declared. */
  readonly lost: readonly string[];
  /** The provider refused what it does not have, and the client was told. */
  readonly isRefused: boolean;
  /** The differences that nothing declares. */
  readonly faults: readonly Difference[];
}

export interface JudgedCell extends CellResult {
  readonly client: ClientDriver;
  readonly family: Family;
  readonly scenario: Scenario;
  readonly stream: boolean;
}

/** A client may be told that a provider refused a request about what the provider does not have. */
const judgeRefusal = ({ family, scenario, told }: JudgedCell, refusal: Error): Verdict => {
  const isTold = told.error?.status === 400 && told.error.message.includes(refusalText(refusal));
  // A provider that has no word for a refusal still has to take the question.
  const isAsked = scenario.id !== 'refusal' && family.lacks.includes(scenario.id);
  const isRefused = isTold && isAsked;
  const fault = { side: 'request', facet: 'refused', expected: undefined, got: refusal.message } as const;
  return { lost: [], isRefused, faults: isRefused ? [] : [fault] };
};

const judgeHeard = ({ client, family, scenario, stream, told }: JudgedCell, heard: Heard): Verdict => {
  const declared = declaredLosses(family, client.dialect);
  const answer = familyAnswer({ answer: scenario.answer, family, client: client.dialect, told });
  const differences = [
    ...requestDifferences({ ask: scenario.ask, stream, model: family.model }, client, heard),
    ...answerDifferences(answer, client, told),
  ];
  const judged = differences.map((difference) => ({
    difference,
    loss: coveringLoss(difference, declared[difference.side], told.dropped),
  }));
  return {
    lost: [...new Set(judged.flatMap(({ loss }) => loss ?? []))],
    isRefused: false,
    faults: judged.flatMap(({ difference, loss }) => (loss === undefined ? [difference] : [])),
  };
};

/** What a cell of the matrix lost, and what it should not have lost. */
export const judgeCell = (cell: JudgedCell): Verdict =>
  cell.heard instanceof Error ? judgeRefusal(cell, cell.heard) : judgeHeard(cell, cell.heard);
