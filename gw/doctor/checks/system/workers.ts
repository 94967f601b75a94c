import { availableParallelism } from 'node:os';
import { workerCount } from '../../../../runtime/cli/settings/serve-options.ts';
import { findUnshared } from '../../../../runtime/workers/owner-process/refuse-unshared.ts';
import { type Check, type Finding, splitAdvice } from '../../set-up/finding.ts';
import type { SetUp } from '../../set-up/set-up.ts';

const subject = '"workers"';

/** Returns how many processes would serve a set-up. */
export const countWorkers = ({ options, settings }: Pick<SetUp, 'options' | 'settings'>): number => {
  const wanted = workerCount(options, settings);
  return wanted === 'auto' ? availableParallelism() : wanted;
};

/** Compares the number of workers with that of the processors that this process may use. */
export const processorFindings = (count: number, processors: number): readonly Finding[] =>
  count <= Math.max(1, processors)
    ? []
    : [
        {
          severity: 'warning',
          subject,
          what: `${count} workers are configured, but this process may use ${processors === 1 ? 'one processor' : `${processors} processors`}. Additional workers use memory without serving more.`,
          remedy: 'Set "workers" to "auto" in the gateway file, or give the gateway more processors.',
        },
      ];

const storeOf = (setUp: SetUp): string | undefined => {
  try {
    return setUp.findStore();
  } catch {
    // The check of the store reports why.
    return undefined;
  }
};

export const workers: Check = {
  id: 'workers',
  description: 'several workers: what they cannot serve, and whether there are more workers than processors',
  run(setUp) {
    const count = countWorkers(setUp);
    if (count === 1) return [];
    const unshared = findUnshared({ environment: setUp.environment, store: storeOf(setUp) }, count);
    return [
      ...(unshared === undefined ? [] : [{ severity: 'error', subject, ...splitAdvice(unshared) } as const]),
      ...processorFindings(count, availableParallelism()),
    ];
  },
};
