import { expect, it } from 'vitest';
import { errorReport, errorTable, messageForPeer } from '../../schema/errors/errors.ts';

it('words an error for the service that failed, with its values', () => {
  const report = errorReport('connection-failed', { host: 'the provider', reason: 'it is down.' });
  expect(report.message).toContain('The provider at the provider could not be reached: it is down.');
  expect(messageForPeer(report, 'receiver')).toContain(
    'The receiver at the provider could not be reached: it is down.',
  );
});

it('keeps the message of an error that was not built from the table', () => {
  const { status, type } = errorTable['stream-cut'];
  const report = { code: 'stream-cut', status, type, message: 'The plugin stopped.' } as const;
  expect(messageForPeer(report, 'service')).toBe('The plugin stopped.');
});

it('needs no text that calls a peer without a name a provider', () => {
  const texts = Object.values(errorTable).map(({ text }) => text);
  expect(texts.filter((text) => /\b[Tt]he provider\b(?! [{"])/.test(text))).toEqual([]);
});
