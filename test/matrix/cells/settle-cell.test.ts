import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import type { ClientDriver } from '../clients/client-driver.ts';
import { openaiChat } from '../clients/openai/chat.ts';
import { families } from '../families.ts';
import { scenarios } from '../scenarios.ts';
import { settleCell } from './settle-cell.ts';

let server: TestUpstream;
beforeAll(async () => {
  server = await startUpstream();
});
afterAll(() => server.close());

const reason = 'It speaks another language.';

/** Calls the provider directly, with the client's own key. */
const settled = (scenarioId: string, changes: Partial<ClientDriver> = {}): ReturnType<typeof settleCell> => {
  const family = families.find(({ id }) => id === 'openai');
  const scenario = scenarios.find(({ id }) => id === scenarioId);
  if (family === undefined || scenario === undefined) throw new Error('There is no such one.');
  const cell = { client: { ...openaiChat, ...changes }, family: { ...family, headers: {} }, scenario, stream: false };
  return settleCell({ ...cell, origin: server.origin, server });
};

describe('a cell that is declared not to work', () => {
  it('is an error if it works', async () => {
    expect(await settled('text')).toEqual({ outcome: { lost: [], isText: false } });
    expect(await settled('text', { cannot: [{ reason }] })).toEqual({ error: `It works, and should not: ${reason}` });
  });

  it('has the declared reason if it does not work', async () => {
    const fail = () => Promise.reject(new Error('It failed.'));
    expect(await settled('text', { cannot: [{ reason }], ask: fail })).toEqual({ outcome: { reason } });
    expect(await settled('text', { ask: fail })).toMatchObject({ error: expect.stringContaining('It failed.') });
  });

  it('is an error if it fails in more than the declared facets', async () => {
    const cannot = [{ reason, facets: ['usage'] as const }];
    const mute: ClientDriver['ask'] = async (...args) => {
      const { usage: _usage, ...received } = await openaiChat.ask(...args);
      return received;
    };
    expect(await settled('text', { cannot, ask: mute })).toEqual({ outcome: { reason, without: 'usage' } });
    const silent: ClientDriver['ask'] = async (...args) => ({ ...(await mute(...args)), text: '' });
    expect(await settled('text', { cannot, ask: silent })).toMatchObject({ error: expect.stringContaining('text') });
  });

  it('works if the declaration covers only other providers, other scenarios or streams', async () => {
    const works = { outcome: { lost: [], isText: false } };
    expect(await settled('text', { cannot: [{ families: ['groq'], reason }] })).toEqual(works);
    expect(await settled('text', { cannot: [{ scenarios: ['tools'], reason }] })).toEqual(works);
    expect(await settled('text', { cannot: [{ stream: true, reason }] })).toEqual(works);
  });
});

describe('a library that retries', () => {
  it('gets a retry-after header and repeats the same request', async () => {
    expect(await settled('retry')).toEqual({ outcome: { lost: [], isText: false } });
  });
});
