import { expect, it } from 'vitest';
import { logExports } from '../../../../../plugins/telemetry/otlp/export/log-exports.ts';

it('failures are told once, and without the password that the address of the receiver has', () => {
  const told: string[] = [];
  const outcomes = [{ code: 1, error: new Error('It is unavailable.') }, { code: 1 }, { code: 0 }];
  const exporter = {
    export: (_: string, done: (outcome: { code: number; error?: Error }) => void) =>
      done(outcomes.shift() ?? { code: 0 }),
  };
  const url = 'https://user:hunter2@receiver.example:4318/otlp/v1/traces?token=hunter3';
  const sends = logExports<string, typeof exporter>(exporter, {
    what: 'traces',
    url,
    log: (text) => told.push(text),
  });
  for (let at = 0; at < 4; at += 1) sends.export('a batch', () => {});
  expect(told).toEqual([
    'The traces could not be sent to https://receiver.example:4318/otlp/v1/traces, and what does not fit in memory is dropped until they can: It is unavailable.',
    'The traces are sent to https://receiver.example:4318/otlp/v1/traces again.',
  ]);
});
