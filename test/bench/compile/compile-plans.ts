import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { number } from '../harness/figures.ts';

/** Compiles the configs of a folder into plans in a subfolder, and returns that subfolder. */
export const compilePlans = (folder: string): string => {
  const plans = path.join(folder, 'plans');
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [
      path.join(import.meta.dirname, '../../../gw.js'),
      'compile',
      path.join(folder, 'configs'),
      '--out',
      plans,
      '--no-types',
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The benchmark's configs do not compile:\n${stdout}${stderr}`);
  return plans;
};

/** Measures the cost of compiling a header config in a separate process, and returns it as a sentence. */
export const compileCost = (): string => {
  const { stdout } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'compile-cost.ts')], {
    encoding: 'utf8',
  });
  const { bytes, freshMicros, againMicros } = JSON.parse(stdout);
  return `\nCompiling a header config of ${bytes} bytes: ${number(freshMicros, 0)} µs; found again: ${number(againMicros, 2)} µs.\n`;
};
