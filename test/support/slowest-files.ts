import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;

/** Who runs fewer files sees how long each takes. */
const isWholeRun = ({ length }: readonly TestModule[]): boolean => length > 100;

/** Prints, after a run of many files, which of them took longest. */
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
