import type { Loss } from '../../../plugins/sdk/dialect.ts';
import type { ClientDriver } from '../clients/client-driver.ts';
import type { Scenario } from '../scenario.ts';
import { coveringLoss } from './covering-loss.ts';
import { answerDifferences, type Difference, requestDifferences } from './facets.ts';
import type { CellResult } from './run-cell.ts';

export interface DeclaredLosses {
  /** Of the dialect and the provider that the request is written for. */
  readonly request: readonly Pick<Loss, 'member'>[];
  /** Of the client's dialect. */
  readonly answer: readonly Pick<Loss, 'member'>[];
}

export interface Verdict {
  /** The members that were lost as declared. */
  readonly lost: readonly string[];
  /** The differences that nothing declares. */
  readonly faults: readonly Difference[];
}

/** What a cell of the matrix lost, and what it should not have lost. */
export const judgeCell = (
  scenario: Scenario,
  driver: ClientDriver,
  { told, heard, declared }: CellResult & { readonly declared: DeclaredLosses },
): Verdict => {
  const request = heard === undefined ? [] : requestDifferences(scenario, driver, heard);
  const differences = [...request, ...answerDifferences(scenario, driver, told)];
  const judged = differences.map((difference) => ({
    difference,
    loss: coveringLoss(difference, declared[difference.side], told.dropped),
  }));
  return {
    lost: [...new Set(judged.flatMap(({ loss }) => loss ?? []))],
    faults: judged.flatMap(({ difference, loss }) => (loss === undefined ? [difference] : [])),
  };
};
