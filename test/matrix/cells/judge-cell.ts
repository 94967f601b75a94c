import type { ClientDriver } from '../clients/client-driver.ts';
import { lastStep } from '../clients/expected.ts';
import type { Family } from '../families.ts';
import type { Heard, Scenario } from '../scenario.ts';
import { coveringLoss } from './covering-loss.ts';
import { declaredLosses } from './declared-losses.ts';
import { answerDifferences, type Difference, requestDifferences } from './facets.ts';
import { familyAnswer } from './family-answer.ts';
import type { CellResult } from './run-cell.ts';

export interface Verdict {
  /** The members that were lost as declared. */
  readonly lost: readonly string[];
  /** What the provider has no form for, and is told as a text. */
  readonly isText: boolean;
  /** The differences that nothing declares. */
  readonly faults: readonly Difference[];
}

export interface JudgedCell extends CellResult {
  readonly client: ClientDriver;
  readonly family: Family;
  readonly scenario: Scenario;
  readonly stream: boolean;
}

const judgeHeard = ({ client, family, scenario, stream, told, proves }: JudgedCell, heard: Heard): Verdict => {
  const declared = declaredLosses(family, client.dialect);
  const step = lastStep(scenario, stream, proves);
  const answer = familyAnswer({ answer: step.answer, family, client: client.dialect, told });
  const asked = { client, model: family.model, hasOwnIds: family.callIds !== 'kept' };
  const differences = [...requestDifferences(step, asked, heard), ...answerDifferences(answer, client, told)];
  const judged = differences.map((difference) => ({
    difference,
    loss: coveringLoss(difference, declared, told.dropped),
  }));
  return {
    lost: [...new Set(judged.flatMap(({ loss }) => loss ?? []))],
    isText: family.lacks.includes(scenario.id),
    faults: judged.flatMap(({ difference, loss }) => (loss === undefined ? [difference] : [])),
  };
};

/** What a cell of the matrix lost, and what it should not have lost: no vendor may have refused it. */
export const judgeCell = (cell: JudgedCell): Verdict => {
  const { heard } = cell;
  if (!(heard instanceof Error)) return judgeHeard(cell, heard);
  const fault = { side: 'request', facet: 'refused', expected: undefined, got: heard.message } as const;
  return { lost: [], isText: false, faults: [fault] };
};
