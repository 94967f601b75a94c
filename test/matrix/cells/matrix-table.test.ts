import { describe, expect, it } from 'vitest';
import { createTable, type Outcome } from './matrix-table.ts';

const works: Outcome = { lost: [], isText: false };
const reason = 'It is too old.';

/** Returns the only row of a table for a scenario with these whole and streamed outcomes. */
const findRow = (whole: Outcome | undefined, streamed: Outcome | undefined): string | undefined => {
  const table = createTable(['text']);
  for (const [variant, outcome] of Object.entries({ whole, streamed })) {
    const settle = table.open({ library: 'a library', family: 'a provider', scenario: 'text', variant });
    if (outcome !== undefined) settle(outcome);
  }
  return table.text().match(/^\| a provider \| (.*) \|$/m)?.[1];
};

describe('a cell of the table', () => {
  it.each<[string, Outcome | undefined, Outcome | undefined]>([
    ['works', works, works],
    ['as text', works, { lost: [], isText: true }],
    ['loses `usage`', works, { lost: ['usage'], isText: false }],
    ['**broken**', works, undefined],
    ['no (1)', { reason }, { reason }],
    ['works, streamed: no (1)', works, { reason }],
    ['works, streamed: without usage (1)', works, { reason, without: 'usage' }],
    ['whole: no (1), streamed: without usage (1)', { reason }, { reason, without: 'usage' }],
  ])('shows %s', (expected, whole, streamed) => {
    expect(findRow(whole, streamed)).toBe(expected);
  });

  it('has its reason in a note below the table', () => {
    const table = createTable(['text']);
    table.open({ library: 'a library', family: 'a provider', scenario: 'text', variant: 'whole' })({ reason });
    expect(table.text()).toContain(`| a provider | no (1) |\n\n1. ${reason}\n`);
  });
});
