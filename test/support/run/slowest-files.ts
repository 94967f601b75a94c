import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;

/** In a run of fewer files, the duration of each is visible anyway. */
const isWholeRun = ({ length }: readonly TestModule[]): boolean => length > 100;

/** Prints the slowest files after a run of many files. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!isWholeRun(modules)) return;
    const slowest = modules
      .map((module) => ({ name: module.relativeModuleId, ms: module.diagnostic().duration }))
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, shown);
    const lines = slowest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
    process.stdout.write(`\nThe ${shown} slowest test files:\n${lines.join('\n')}\n`);
  }
}
