import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../../sdk/clock.ts';
import type { CounterSum } from '../limits.ts';
import type { ScriptRunner } from './script-runner.ts';

export interface CounterBuilderOptions {
  readonly clock: Clock;
  readonly runner: ScriptRunner;
  readonly sums: () => Promise<readonly CounterSum[]>;
  readonly leaseMs: number;
}

/** Sums that one script sets. */
const batchSize = 500;

/** The kind of a reset, its days, and the moment from which they are counted. */
const toResetTexts = (reset: CounterSum['reset']): readonly [string, string, string] =>
  reset.every === 'days' ? [reset.every, String(reset.days), String(reset.from)] : [reset.every, '', ''];

const toSumTexts = ({ policy, bucket, reset, window, used }: CounterSum): readonly string[] => [
  policy,
  bucket,
  ...toResetTexts(reset),
  String(window),
  String(used),
];

/**
 * Builds the counters of a Redis that has none, or has lost them, from the sums of the ledger. One process does so at a time; if
 * it ends, its lease does. Until it is done, no decision is made.
 */
export const counterBuilder = ({ clock, runner, sums, leaseMs }: CounterBuilderOptions): (() => Promise<void>) => {
  const lease = [randomUUID(), String(leaseMs)];

  const claim = async (): Promise<boolean> => (await runner.run('claimBuild', lease))[0] === 'yours';

  /** Keeps the lease while the ledger is asked. */
  const sumsUnderLease = async (): Promise<readonly CounterSum[]> => {
    let stop = (): void => {};
    let isOver = false;
    const renew = (): void => {
      stop = clock.after(leaseMs / 3, () => {
        claim().then(
          (isOurs) => (isOurs && !isOver ? renew() : undefined),
          () => {},
        );
      });
    };
    renew();
    try {
      return await sums();
    } finally {
      isOver = true;
      stop();
    }
  };

  return async () => {
    if (!(await claim())) return;
    const all = await sumsUnderLease();
    const epoch = randomUUID();
    for (let at = 0; at === 0 || at < all.length; at += batchSize) {
      const isLast = at + batchSize >= all.length;
      const texts = all.slice(at, at + batchSize).flatMap(toSumTexts);
      const [answer] = await runner.run('build', [...lease, isLast ? epoch : '', ...texts]);
      if (answer !== 'done') return;
    }
  };
};
