import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import type { ConfigCoverage } from './coverage.ts';

/** A failure of a test, with its line in the file. */
export interface TestFailure {
  readonly line: number;
  readonly column: number;
  /** The expectation, and the outcome; absent if the test cannot be run. */
  readonly expected?: string;
  readonly got?: string;
  /** Why the test cannot be run, and what to do. */
  readonly problem?: string;
}

/** The result of one test. */
export interface TestResult {
  readonly name: string;
  readonly line: number;
  readonly failures: readonly TestFailure[];
  /** The trail of the request, in lines; empty if the test passed. */
  readonly story: string;
}

/** The result of a test file. */
export interface FileResult {
  readonly file: string;
  readonly config: string;
  readonly tests: readonly TestResult[];
}

/** A file that cannot be used: a test file, a config, or the gateway file. */
export interface BrokenFile {
  readonly file: string;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Everything that a run of `gw test` found. */
export interface Results {
  readonly broken: readonly BrokenFile[];
  readonly files: readonly FileResult[];
  readonly coverage: readonly ConfigCoverage[];
  /** The minimum percentage, if one was specified. */
  readonly minCoverage: number | undefined;
}

/** How many tests there were, by result. */
export interface Counts {
  readonly tests: number;
  readonly failed: number;
  readonly errors: number;
}

export const countResults = ({ files, broken }: Pick<Results, 'files' | 'broken'>): Counts => {
  const tests = files.flatMap((file) => file.tests);
  return {
    tests: tests.length,
    failed: tests.filter(({ failures }) => failures.length > 0).length,
    errors: broken.flatMap(({ diagnostics }) => diagnostics).filter(({ severity }) => severity === 'error').length,
  };
};
