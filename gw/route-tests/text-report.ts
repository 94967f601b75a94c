import type { TextOutput } from '../../compiler/cli/command-line/services.ts';
import { formatDiagnostics } from '../../compiler/cli/report/report.ts';
import { formatCount } from '../../schema/text/format-count.ts';
import { printable } from '../../schema/text/printable.ts';
import { type ConfigCoverage, percentReached } from './coverage.ts';
import { countResults, type FileResult, type Results, type TestFailure, type TestResult } from './results.ts';

type Look = Pick<TextOutput, 'colour'>;

const painted = (text: string, code: number, { colour }: Look): string =>
  colour ? `\u001b[${code}m${text}\u001b[0m` : text;

const failureText = ({ line, column, expected = '', got = '', problem }: TestFailure, file: string): string =>
  [
    `    ${file}:${line}:${column}`,
    ...(problem === undefined
      ? [`      expected: ${printable(expected)}`, `      got:      ${printable(got)}`]
      : [`      ${printable(problem)}`]),
  ].join('\n');

const storyText = (story: string): readonly string[] =>
  story === '' ? [] : ['    What happened:', ...story.split('\n').map((line) => `    ${printable(line)}`)];

const testText = ({ name, failures, story }: TestResult, file: string, look: Look): string => {
  const mark = failures.length === 0 ? painted('passed', 32, look) : painted('FAILED', 31, look);
  const lines = [
    `  ${mark}  ${printable(name)}`,
    ...failures.map((failure) => failureText(failure, file)),
    ...storyText(story),
  ];
  return lines.join('\n');
};

const fileText = ({ file, config, tests }: FileResult, look: Look): string =>
  [`${file} (${config})`, ...tests.map((test) => testText(test, file, look)), '', ''].join('\n');

const coverageText = (coverage: ConfigCoverage): string => {
  const { config, reached, total, missing } = coverage;
  const percent = percentReached([coverage]);
  const head = `${config}: tests reach ${reached} of ${total} (${percent} %)`;
  const lines = missing.map(({ what, place }) => `  not reached: ${printable(what)}  [${place}]`);
  return [`${head}${missing.length === 0 ? '' : ':'}`, ...lines, '', ''].join('\n');
};

/** Returns `3 tests passed.`, or how many failed. */
const resultText = (results: Results, look: Look): string => {
  const { tests, failed, errors } = countResults(results);
  const passed = tests - failed;
  const parts = [
    ...(failed === 0 ? [] : [painted(`${formatCount(failed, 'test')} failed`, 31, look)]),
    ...(errors === 0 ? [] : [`${formatCount(errors, 'error')} in files`]),
    `${formatCount(passed, 'test')} passed`,
  ];
  return `${parts.join(', ')}.`;
};

const minimumText = ({ coverage, minCoverage }: Results): string => {
  if (minCoverage === undefined || percentReached(coverage) >= minCoverage) return '';
  return ` At least ${minCoverage} % must be reached (--min-coverage).`;
};

const coverageResult = (results: Results): string =>
  results.coverage.length === 0 ? '' : ` Coverage: ${percentReached(results.coverage)} %.${minimumText(results)}`;

/** Formats the results as text. */
export const textReport = (results: Results, look: Look): string =>
  [
    formatDiagnostics(results.broken, look),
    ...results.files.map((file) => fileText(file, look)),
    ...results.coverage.map(coverageText),
    `${resultText(results, look)}${coverageResult(results)}\n`,
  ].join('');
