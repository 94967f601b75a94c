import { checkExampleTypes } from './check-example-types.ts';
import { commandLines } from './command-lines.ts';
import { createExampleFolder, type ExamplePlace } from './example-folder.ts';
import { matchesOutput } from './matches-output.ts';
import { type Fence, readFences } from './read-fences.ts';
import { ShellSession } from './shell-session.ts';

/** The results of a text's examples. */
export interface ExamplesRun {
  /** How many files were written, commands run and outputs compared. */
  readonly examples: number;
  readonly problems: readonly string[];
}

const isCommands = ({ language }: Fence): boolean => language === 'sh';

const isOutput = ({ language, follows }: Fence): boolean => language === 'text' && follows;

const runFence = async (fence: Fence, next: Fence | undefined, session: ShellSession): Promise<ExamplesRun> => {
  const lines = commandLines(fence);
  const before = session.output.length;
  await session.runAll(lines);
  const problems = session.problems.splice(0);
  const output = session.output.slice(before);
  if (next === undefined || !isOutput(next)) return { examples: lines.length, problems };
  const unlike = matchesOutput(next.text, output) ? [] : [`line ${next.line}: the output is another:\n${output}`];
  return { examples: lines.length + 1, problems: [...problems, ...unlike] };
};

/**
 * Does what a reader of the text would do: writes each file when the text reaches it, runs all commands in one shell session in
 * that folder, and compares the outputs with those shown. Then the TypeScript files are type-checked.
 */
export const runExamplesIn = async (
  markdown: string,
  folder: ExamplePlace,
  checkTypes: (files: readonly string[]) => Promise<string>,
): Promise<ExamplesRun> => {
  const fences = readFences(markdown);
  const problems: string[] = [];
  const typed: string[] = [];
  const session = new ShellSession(folder);
  let examples = 0;
  for (const [at, fence] of fences.entries()) {
    if (fence.file !== undefined) {
      folder.write(fence.file, fence.text);
      examples += 1;
      if (/\.m?ts$/.test(fence.file)) typed.push(fence.file);
    } else if (isCommands(fence)) {
      const run = await runFence(fence, fences[at + 1], session);
      examples += run.examples;
      problems.push(...run.problems);
    }
  }
  await session.end();
  problems.push(...session.problems);
  const said = typed.length === 0 ? '' : await checkTypes(typed);
  return { examples, problems: said === '' ? problems : [...problems, said] };
};

/** Runs the examples of a text with the gateway that is built before the tests, in a temporary folder. */
export const runExamples = async (markdown: string): Promise<ExamplesRun> => {
  using folder = createExampleFolder();
  return await runExamplesIn(markdown, folder, (files) => checkExampleTypes(files, folder));
};
