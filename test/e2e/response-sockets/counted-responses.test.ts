import { expect, it, vi } from 'vitest';
import { control, makeKey, type NewKey, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { enoughOfDay } from '../../support/run/enough-of-day.ts';
import { patience } from '../../support/run/patience.ts';
import { sharedByTests } from '../../support/run/shared-by-tests.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { makePolicy } from '../limits/support/limited-gateway.ts';
import { openSession, type SessionClient } from '../realtime/support/session-client.ts';
import { answerAsClaude, create, responseId } from './support/response-gateway.ts';

const provider = sharedByTests<TestUpstream>('provider', async (whenFinished) => {
  const started = await startUpstream(answerAsClaude);
  whenFinished(() => started.close());
  return started;
});
const serving = sharedStore();

/** Saves the provider under a name, and creates a key for it. */
const save = async (slug: string): Promise<NewKey> => {
  await control(serving(), 'POST /providers', {
    body: {
      ...{ name: slug, slug, provider: 'anthropic', credential: { api_key: 'sk' } },
      settings: { custom_host: `${provider().origin}/v1` },
    },
  });
  await enoughOfDay();
  return makeKey(serving(), slug);
};

const open = ({ key }: NewKey, slug: string): Promise<SessionClient> =>
  openSession({
    ...{ origin: serving().origin, path: '/v1/responses' },
    headers: { 'x-gw-api-key': key, 'x-gw-provider': `@${slug}` },
  });

interface Logged {
  readonly method: string;
  readonly status: number;
  readonly output_tokens: number;
}

it('each response of a WebSocket is a request of its own in the usage of its key and in the log, beside the handshake', async () => {
  const key = await save('each');
  const client = await open(key, 'each');
  for (const input of ['One.', 'Two.', 'Three.']) {
    client.send(create({ input }));
    await client.next('response.completed');
  }
  client.socket.close();
  const usage = async () => await control(serving(), `GET /usage?key=${key.id}`);
  await vi.waitFor(async () => expect(await usage()).toMatchObject({ summary: { requests: 3 } }), patience);
  const logged = async () => {
    const { data = [] } = (await control(serving(), `GET /logs?key_id=${key.id}`)) as { readonly data?: Logged[] };
    return data.map(({ method, status, output_tokens }) => `${method} ${status} ${output_tokens}`).sort();
  };
  await vi.waitFor(
    async () => expect(await logged()).toEqual(['GET 101 0', ...Array.from({ length: 3 }, () => 'POST 200 9')]),
    patience,
  );
});

it('a limit refuses a response, and leaves the WebSocket open', async () => {
  const key = await save('limited');
  await makePolicy(serving(), 'rate-limits', {
    ...{ type: 'requests', unit: 'rpd', value: 2, conditions: [{ key: 'api_key', value: key.id }] },
    group_by: [{ key: 'api_key' }],
  });
  const client = await open(key, 'limited');
  for (const input of ['One.', 'Two.']) {
    client.send(create({ input }));
    await client.next('response.completed');
  }
  client.send(create({ input: 'Three.' }));
  const error = await client.next('error');
  expect(error).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
  client.socket.close();
  expect((await client.closed).code).toBe(1005);
});

it('a key that is revoked gets an error, and its WebSocket is closed', async () => {
  const key = await save('revoked');
  const client = await open(key, 'revoked');
  await control(serving(), `DELETE /api-keys/${key.id}`);
  await vi.waitFor(async () => {
    client.send(create());
    expect((await client.closed).code).toBe(1008);
  }, patience);
  expect(client.events.at(-1)).toMatchObject({ type: 'error', status: 401 });
});

it('a response that the store keeps is continued by its id on another connection', async () => {
  const key = await save('kept');
  const first = await open(key, 'kept');
  first.send(create({ store: true, input: 'First.' }));
  const id = responseId(await first.next('response.completed'));
  first.socket.close();
  const second = await open(key, 'kept');
  second.send(create({ store: true, previous_response_id: id, input: 'Second.' }));
  await second.next('response.completed');
  expect(JSON.stringify(provider().requests.at(-1)?.json().messages)).toMatch(/First\..*Hello!.*Second\./);
  second.socket.close();
});
