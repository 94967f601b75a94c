import { expect, it } from 'vitest';
import { serveIo } from '../../gw/serve-io.ts';
import { followLater } from '../../runtime/cli/serve.ts';
import type { ServeServices } from '../../runtime/cli/services/serve-services.ts';

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const counts = (): readonly number[] => signals.map((signal) => process.listenerCount(signal));

const output = { write: () => {}, flushed: async () => {}, dropped: () => 0 };
const io = serveIo('/', { out: output, err: output });

it('does not intercept SIGTERM and SIGINT while a gateway follows secrets but does not serve yet', () => {
  const [terms, interrupts, hangups = 0] = counts();
  const followed = followLater({ io } as ServeServices, {});
  expect(counts()).toEqual([terms, interrupts, hangups + 1]);
  followed.stop();
  expect(counts()).toEqual([terms, interrupts, hangups]);
});

it('listens to all signals by default', () => {
  const before = counts();
  const stop = io.onSignal(() => {});
  expect(counts()).toEqual(before.map((count) => count + 1));
  stop();
  expect(counts()).toEqual(before);
});
