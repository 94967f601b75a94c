import { errorTable } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { closest } from '../../diagnostics/closest.ts';
import { codeExamples } from '../../diagnostics/examples/code-examples.ts';
import { diagnosticTable } from '../../diagnostics/table.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** A text of a table: what each finding fills in is left open. */
const leftOpen = (text: string): string => text.replaceAll(/(?<!\$)\{\w+\}/g, '…');

/** Some hints are made for each finding. */
const ownHint = (hint: string): readonly string[] => (/^\{\w+\}$/.test(hint) ? [] : [leftOpen(hint)]);

const maxLines = 16;
const longestLine = 140;

const shownConfig = (config: readonly string[]): readonly string[] => {
  const shown = config.length > maxLines ? [...config.slice(0, maxLines - 2), '…', config.at(-1) ?? ''] : config;
  return shown.map((line) => `  ${line.length > longestLine ? `${line.slice(0, longestLine)}…` : line}`);
};

const diagnosticLines = (code: string): readonly string[] => {
  const row = lookUp(diagnosticTable, code);
  const example = lookUp(codeExamples, code);
  if (row === undefined || example === undefined) return [];
  const { cause, remedy, wrong, right } = example;
  return [
    `${row.severity}[${code}]: ${leftOpen(row.text)}`,
    ...['', `cause   ${cause}`, `remedy  ${remedy}`],
    ...ownHint(row.hint).map((hint) => `hint    ${hint}`),
    ...['', 'wrong', ...shownConfig(wrong), '', 'right', ...shownConfig(right)],
  ];
};

const faults = {
  caller: 'The caller can correct it.',
  operator: 'The operator can correct it.',
  upstream: 'It is up to the provider.',
  gateway: 'It is up to the gateway.',
} as const;

const errorLines = (code: string): readonly string[] => {
  const row = lookUp(errorTable, code);
  if (row === undefined) return [];
  const { status, type, fault, curable, text, hint } = row;
  return [
    `answer ${status} ${type} [${code}]: ${leftOpen(text)}`,
    '',
    `cause   ${faults[fault]}${curable ? ' Another target may serve the request: a fallback can go on.' : ''}`,
    ...ownHint(hint).map((each) => `remedy  ${each}`),
  ];
};

/** A code of the compiler, or of an answer of the gateway, in words; both where both have it. Throws a `UsageError` for any other text. */
export const explainCode = (code: string): string => {
  const blocks = [diagnosticLines(code), errorLines(code)].filter((lines) => lines.length > 0);
  if (blocks.length === 0) {
    const near = closest(code, [...Object.keys(diagnosticTable), ...Object.keys(errorTable)]);
    throw new UsageError(
      `There is no code "${code.slice(0, 100)}".`,
      near === undefined
        ? 'gw check prints those of what it finds, and error answers have theirs.'
        : `Did you mean "${near}"?`,
    );
  }
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
};

/** The same for programs. */
export const codeJson = (code: string): JsonObject => {
  explainCode(code);
  const row = lookUp(diagnosticTable, code);
  const example = lookUp(codeExamples, code);
  const error = lookUp(errorTable, code);
  return {
    code,
    diagnostic:
      row === undefined || example === undefined
        ? null
        : {
            ...{ severity: row.severity, text: row.text, hint: row.hint, cause: example.cause, remedy: example.remedy },
            ...{ wrong: example.wrong.join('\n'), right: example.right.join('\n') },
          },
    error:
      error === undefined
        ? null
        : {
            ...{ status: error.status, type: error.type, fault: error.fault, curable: error.curable },
            ...{ text: error.text, hint: error.hint },
          },
  };
};
