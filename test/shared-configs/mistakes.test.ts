import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';
import { toFindingsTable } from './findings-table.ts';
import { mistakeEntries, mistakesGateway, readFindings } from './mistake-entry.ts';
import { isAtLine, isDisputed, type Outcome } from './outcome.ts';
import { sharedConfigsExist } from './shared-folder.ts';

const outcomes: Outcome[] = [];

describe('configs with one known mistake (skipped if there are none next to the repository)', () => {
  it.skipIf(sharedConfigsExist)('are not next to the repository', ({ skip }) => {
    skip('There is no ../shared/configs.');
  });

  it.for(mistakeEntries())('are reported at the right line, or rightly accepted: $class: $name', async (entry) => {
    const outcome = {
      entry,
      findings: await readFindings(entry, temporaryFolder({ 'gateway.json': mistakesGateway() })),
    };
    outcomes.push(outcome);
    const said = outcome.findings.map(
      ({ severity, code, span, message, hint = '' }) => `${span.line}: ${severity}[${code}] ${message} ${hint}`,
    );
    expect(
      isAtLine(outcome) || isDisputed(outcome),
      `Wanted at ${entry.line.join(' or ')}: ${entry.wanted}\n${said.join('\n')}`,
    ).toBe(true);
  });

  afterAll(() => {
    if (sharedConfigsExist) process.stdout.write(`\n${toFindingsTable(outcomes)}\n\n`);
  });
});
