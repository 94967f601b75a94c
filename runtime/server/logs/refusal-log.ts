import { createRefusalDigest, type RefusedKeys } from '../../../plugins/sdk/logs/refusal-digest.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { Clock } from '../../ports/clock.ts';

const name = 'gatewright/refusal-log';

/** The operator is notified at most twice per interval: of the first refusal, and of all others together. */
const bounds = { intervalMs: 900_000, maxAddresses: 64, maxAtOnce: 1 };

const from = ({ address }: RefusedKeys): string => address ?? 'other addresses';

const sentence = (reports: readonly RefusedKeys[]): string => {
  const count = reports.reduce((sum, each) => sum + each.count, 0);
  const largest = reports.toSorted((one, other) => other.count - one.count)[0];
  if (largest === undefined) return '';
  if (count === 1) return `gw: A service key was refused. The request came from ${from(largest)}.\n`;
  const whence =
    reports.length === 1 ? `, all from ${from(largest)}` : `, ${largest.count} of them from ${from(largest)}`;
  return `gw: ${count} further service keys were refused since ${new Date(largest.since).toISOString()}${whence}.\n`;
};

/** Notifies the operator of a gateway without a store that service keys were refused. With a store, the audit log does. */
export const refusalLog = ({
  write,
  clock,
}: {
  readonly write: (text: string) => void;
  readonly clock: Clock;
}): Plugin =>
  definePlugin({
    name,
    apply: (hooks) => {
      const digest = createRefusalDigest({ ...bounds, clock, report: (reports) => write(sentence(reports)) });
      hooks.keyRefused.tap(name, (refused) => digest.note(refused));
      hooks.close.tap(name, () => digest.close());
    },
  });
