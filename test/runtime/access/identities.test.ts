import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import {
  type Answering,
  holder,
  type ScriptedIdentities,
  scriptedIdentities,
} from '../../support/in-process/scripted-identities.ts';
import { rawClient } from '../server/support/raw-client.ts';
import { answer, startServer } from '../server/support/start-server.ts';

const keys = { 'gw-key-of-ann': holder({ keyId: 'ann' }), 'gw-key-of-bob': holder({ keyId: 'bob' }) };

const toNames = ({ request }: Exchange): readonly string[] =>
  request.headers.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());

const start = (identities: ScriptedIdentities, ran: Exchange[] = []) =>
  startServer({
    identities,
    execute: (exchange) => {
      ran.push(exchange);
      const { principal, overrides, withheld, request } = exchange;
      const body = request.body.kind === 'bytes' ? Buffer.from(request.body.bytes).toString() : request.body.kind;
      return answer(
        JSON.stringify({
          keyId: principal.keyId,
          credential: overrides.credential ?? null,
          ...(overrides.settings === undefined ? {} : { settings: overrides.settings }),
          withheld: withheld ?? [],
          body,
        }),
      );
    },
  });

const ask = async (origin: string, headers: Record<string, string>) => {
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gw-provider': 'p', ...headers },
    body: '{"model":"m"}',
  });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
};

const ways: readonly Answering[] = ['at once', 'later'];

describe.each(ways)('callers whose source answers %s', (answering) => {
  it('are identified by a key in x-gw-api-key, Authorization or x-api-key, which is not forwarded', async () => {
    const ran: Exchange[] = [];
    await using server = await start(scriptedIdentities(keys, { answering }), ran);
    for (const headers of [
      { 'x-gw-api-key': 'gw-key-of-ann' },
      { authorization: 'Bearer gw-key-of-ann' },
      { 'x-api-key': 'gw-key-of-ann' },
    ]) {
      expect(await ask(server.origin, headers)).toMatchObject({
        status: 200,
        body: { keyId: 'ann', credential: null, body: '{"model":"m"}' },
      });
      expect(ran.map(toNames).at(-1)).not.toContain(Object.keys(headers)[0]);
    }
  });

  it('keep the credential of their provider next to the key', async () => {
    await using server = await start(scriptedIdentities(keys, { answering }));
    expect(
      await ask(server.origin, { 'x-gw-api-key': 'gw-key-of-ann', authorization: 'Bearer of-a-provider' }),
    ).toMatchObject({ status: 200, body: { keyId: 'ann', credential: 'of-a-provider', withheld: [] } });
  });

  it('have a second key removed that they send as a credential', async () => {
    await using server = await start(scriptedIdentities(keys, { answering }));
    expect(
      await ask(server.origin, { 'x-gw-api-key': 'gw-key-of-ann', authorization: 'Bearer gw-key-of-bob' }),
    ).toMatchObject({ status: 200, body: { keyId: 'ann', credential: null, withheld: ['authorization'] } });
  });

  it('have labels removed that contain their key', async () => {
    const ran: Exchange[] = [];
    await using server = await start(scriptedIdentities(keys, { answering }), ran);
    const labels = { team: 'red', note: 'gw-key-of-ann?', 'of gw-key-of-ann': '1' };
    for (const text of [labels, { team: 'blue' }])
      await ask(server.origin, { 'x-gw-api-key': 'gw-key-of-ann', 'x-gw-metadata': JSON.stringify(text) });
    const own = { _organisation: 'o1' };
    expect(ran.map(({ facts }) => facts.metadata)).toEqual([
      { ...own, team: 'red' },
      { ...own, team: 'blue' },
    ]);
  });

  it('have each key removed that they send as a credential of a cloud', async () => {
    await using server = await start(scriptedIdentities(keys, { answering }));
    const answered = await ask(server.origin, {
      ...{ 'x-gw-api-key': 'gw-key-of-ann', 'x-gw-clouda-ad-token': 'gw-key-of-ann' },
      ...{ 'x-gw-cloudc-session-token': 'gw-key-of-bob', 'x-gw-cloudc-access-key-id': 'of-a-provider' },
      ...{ 'x-gw-llmv-organization': 'of gw-key-of-ann', 'x-gw-cloudc-region': 'eu-west-1' },
      'x-gw-cloudb-service-account-json': '{"private_key":"gw-key-of-ann"}',
    });
    const settings = { cloudc_access_key_id: 'of-a-provider', cloudc_region: 'eu-west-1' };
    expect(answered).toEqual({
      status: 200,
      retryAfter: null,
      body: expect.objectContaining({ keyId: 'ann', settings }),
    });
  });

  it.each([
    [{}, 'missing-service-key'],
    [{ 'x-gw-api-key': 'gw-key-of-nobody' }, 'wrong-service-key'],
    [{ authorization: 'Bearer of-a-provider' }, 'wrong-service-key'],
  ])('are rejected with %j', async (headers, code) => {
    const ran: Exchange[] = [];
    await using server = await start(scriptedIdentities(keys, { answering }), ran);
    expect(await ask(server.origin, headers)).toMatchObject({ status: 401, body: { error: { code } } });
    expect(ran).toEqual([]);
  });

  it('are rejected once their key is revoked', async () => {
    const identities = scriptedIdentities(keys, { answering });
    await using server = await start(identities);
    expect(await ask(server.origin, { 'x-gw-api-key': 'gw-key-of-ann' })).toMatchObject({ status: 200 });
    identities.know('gw-key-of-ann', undefined);
    expect(await ask(server.origin, { 'x-gw-api-key': 'gw-key-of-ann' })).toMatchObject({ status: 401 });
  });
});

describe('a source that fails', () => {
  it.each(['throws', 'rejects'] as const)(
    'with an error that it %s admits nobody, and the response says when to retry',
    async (how) => {
      const ran: Exchange[] = [];
      const identities = scriptedIdentities(keys);
      identities.fail(how);
      await using server = await start(identities, ran);
      for (const headers of [{ 'x-gw-api-key': 'gw-key-of-ann' }, { authorization: 'Bearer anything' }])
        expect(await ask(server.origin, headers)).toMatchObject({
          status: 503,
          retryAfter: '1',
          body: { error: { code: 'identity-unavailable', type: 'gateway_error' } },
        });
      expect(ran).toEqual([]);
      identities.fail(undefined);
      expect(await ask(server.origin, { 'x-gw-api-key': 'gw-key-of-ann' })).toMatchObject({ status: 200 });
    },
  );

  it('after it identified the caller never lets an unknown bearer token pass', async () => {
    const ran: Exchange[] = [];
    const identities = scriptedIdentities(keys);
    const failing: ScriptedIdentities = {
      ...identities,
      identify: (presented) =>
        presented === 'gw-key-of-ann'
          ? identities.identify(presented)
          : Promise.reject(new Error('The store is unavailable.')),
    };
    await using server = await start(failing, ran);
    expect(
      await ask(server.origin, { 'x-gw-api-key': 'gw-key-of-ann', authorization: 'Bearer gw-key-of-bob' }),
    ).toMatchObject({ status: 503, body: { error: { code: 'identity-unavailable' } } });
    expect(ran).toEqual([]);
  });
});

describe('a caller that is being looked up', () => {
  it('has its body neither requested nor read', async () => {
    const identities = scriptedIdentities(keys, { answering: 'when released' });
    await using server = await start(identities);
    using client = await rawClient(server.port);
    client.send(
      'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-gw-provider: p\r\nx-gw-api-key: gw-key-of-ann\r\nexpect: 100-continue\r\ncontent-length: 2\r\nconnection: close\r\n\r\n',
    );
    await expect.poll(() => identities.asked).toEqual(['gw-key-of-ann']);
    expect(client.received).toBe('');
    expect(server.memoryBudget.held).toBe(0);
    identities.release();
    await client.until('100 Continue');
    client.send('{}');
    expect(await client.ended).toMatch(/HTTP\/1.1 200 /);
  });

  it('may disconnect, and then nothing runs for it', async () => {
    const ran: Exchange[] = [];
    const identities = scriptedIdentities(keys, { answering: 'when released' });
    await using server = await start(identities, ran);
    {
      using client = await rawClient(server.port);
      client.send(
        'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-gw-provider: p\r\nx-gw-api-key: gw-key-of-ann\r\ncontent-length: 2\r\n\r\n{}',
      );
      await expect.poll(() => identities.asked).toEqual(['gw-key-of-ann']);
      client.socket.destroy();
      await once(client.socket, 'close');
    }
    await expect.poll(() => server.generations.current.running).toBe(0);
    identities.release();
    expect(await ask(server.origin, { 'x-gw-api-key': 'gw-key-of-bob' })).toMatchObject({ status: 200 });
    expect(ran.map(({ principal }) => principal.keyId)).toEqual(['bob']);
    expect(server.memoryBudget.held).toBe(0);
  });
});
