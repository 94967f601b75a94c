import { escapeXml } from '../../schema/text/escape-xml.ts';
import { countResults, type FileResult, type Results, type TestFailure, type TestResult } from './results.ts';

/** Escapes line breaks in an attribute, which would be read as spaces. */
const attribute = (name: string, value: string | number): string =>
  ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;')}"`;

const failureText = ({ line, expected, got, problem }: TestFailure, file: string): string => {
  const at = `${file}:${line}`;
  return problem === undefined ? `${at}: expected ${expected}; got ${got}` : `${at}: ${problem}`;
};

const testCase = ({ name, line, failures, story }: TestResult, { file, config }: FileResult): string => {
  const open = `    <testcase${attribute('name', name)}${attribute('classname', config)}${attribute('file', file)}${attribute('line', line)}`;
  const [first] = failures;
  if (first === undefined) return `${open}/>`;
  const all = [...failures.map((failure) => failureText(failure, file)), ...(story === '' ? [] : [story])];
  const message = attribute('message', failureText(first, file));
  return `${open}>\n      <failure${message}>${escapeXml(all.join('\n'))}</failure>\n    </testcase>`;
};

const suite = (
  name: string,
  { tests, failures, errors }: { readonly tests: number; readonly failures: number; readonly errors: number },
  cases: readonly string[],
): string => {
  const counts = `${attribute('tests', tests)}${attribute('failures', failures)}${attribute('errors', errors)}`;
  return [`  <testsuite${attribute('name', name)}${counts}>`, ...cases, '  </testsuite>'].join('\n');
};

const fileSuite = (result: FileResult): string =>
  suite(
    result.file,
    {
      tests: result.tests.length,
      failures: result.tests.filter(({ failures }) => failures.length > 0).length,
      errors: 0,
    },
    result.tests.map((test) => testCase(test, result)),
  );

/** Formats a file that cannot be used as a suite with one error for each of its diagnostics. */
const brokenSuite = ({ file, diagnostics }: Results['broken'][number]): string => {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const cases = errors.map(({ code, message, hint = '', span: { line } }) => {
    const open = `    <testcase${attribute('name', code)}${attribute('classname', file)}${attribute('file', file)}${attribute('line', line)}>`;
    return `${open}\n      <error${attribute('message', `${file}:${line}: ${message} ${hint}`.trim())}/>\n    </testcase>`;
  });
  return suite(file, { tests: errors.length, failures: 0, errors: errors.length }, cases);
};

/** Formats the results as JUnit XML, which CI servers read. */
export const junitReport = (results: Results): string => {
  const { tests, failed, errors } = countResults(results);
  const counts = `${attribute('tests', tests + errors)}${attribute('failures', failed)}${attribute('errors', errors)}`;
  const suites = [
    ...results.broken.filter(({ diagnostics }) => diagnostics.length > 0).map(brokenSuite),
    ...results.files.map(fileSuite),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="gw test"${counts}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
};
