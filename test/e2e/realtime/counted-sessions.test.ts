import { describe, expect, it, vi } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { control, makeKey, type NewKey, serveStore, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { enoughOfDay } from '../../support/run/enough-of-day.ts';
import { patience } from '../../support/run/patience.ts';
import { sharedByTests } from '../../support/run/shared-by-tests.ts';
import { makePolicy, readUsed } from '../limits/support/limited-gateway.ts';
import { type RealtimeProvider, startRealtimeProvider } from './support/realtime-provider.ts';
import { openSession, refusalOf, type SessionClient } from './support/session-client.ts';

/** A dollar for a million tokens. */
const files = { 'gateway.json': { prices: { openai: { priced: { input: 1, output: 1 } } } } };

const provider = sharedByTests<RealtimeProvider>('provider', async (whenFinished) => {
  const started = await startRealtimeProvider();
  whenFinished(() => started.close());
  return started;
});
const serving = sharedStore(() => ({ files }));

/** Saves the provider under a name, and creates a key. */
const save = async (slug: string, more: object = {}, gateway: GatewayProcess = serving()): Promise<NewKey> => {
  const settings = { custom_host: `${provider().origin}/v1` };
  await control(gateway, 'POST /providers', {
    body: { name: slug, slug, provider: 'openai', credential: { api_key: 'sk' }, settings, ...more },
  });
  await enoughOfDay();
  return makeKey(gateway, slug);
};

const headersOf = ({ key }: NewKey, slug: string) => ({ 'x-gw-api-key': key, 'x-gw-provider': `@${slug}` });

const open = (key: NewKey, slug: string, { origin }: GatewayProcess = serving()): Promise<SessionClient> =>
  openSession({ origin, headers: headersOf(key, slug) });

const respond = async (client: SessionClient, input: number, output: number): Promise<void> => {
  client.send({ type: 'response.create', response: { metadata: { input: String(input), output: String(output) } } });
  await client.next('response.done');
};

const summary = async (key: NewKey) =>
  (await control(serving(), `GET /usage?key=${key.id}`)) as { readonly summary: Record<string, number> };

describe('a session of a key', () => {
  it('is charged for each response as it ends', async () => {
    const key = await save('each');
    const client = await open(key, 'each');
    await respond(client, 10, 20);
    await vi.waitFor(async () => expect((await summary(key)).summary).toMatchObject({ input_tokens: 10 }), patience);
    await respond(client, 100, 200);
    await respond(client, 5, 5);
    client.socket.close();
    await client.closed;
    await vi.waitFor(
      async () =>
        expect((await summary(key)).summary).toMatchObject({ requests: 1, input_tokens: 115, output_tokens: 225 }),
      patience,
    );
  });

  it('ends with an error if a limit allows no further response', async () => {
    const key = await save('limited');
    const policy = await makePolicy(serving(), 'usage-limits', {
      ...{ type: 'cost', credit_limit: 0.01, conditions: [{ key: 'api_key', value: key.id }] },
      group_by: [{ key: 'api_key' }],
    });
    const client = await open(key, 'limited');
    await respond(client, 3000, 3000);
    await respond(client, 3000, 3000);
    expect(await client.next('error')).toMatchObject({ error: { code: 'usage-exhausted' } });
    expect(await client.closed).toEqual({ code: 1008, reason: 'usage-exhausted' });
    await vi.waitFor(async () => expect(Object.values(await readUsed(serving(), policy))).toEqual([0.012]), patience);
    const { status } = await refusalOf({ origin: serving().origin, headers: headersOf(key, 'limited') });
    expect(status).toBe(412);
  });

  it('has one record in the log, with the usage of all of its responses', async () => {
    const key = await save('logged');
    const client = await open(key, 'logged');
    await respond(client, 1, 2);
    await respond(client, 3, 4);
    client.socket.close();
    await client.closed;
    const find = async () =>
      ((await control(serving(), `GET /logs?key_id=${key.id}`)) as { readonly data?: unknown }).data;
    await vi.waitFor(
      async () =>
        expect(await find()).toMatchObject([{ status: 101, model: 'priced', input_tokens: 4, output_tokens: 6 }]),
      patience,
    );
  });
});

it('a gateway that is stopped ends its sessions with an error', async () => {
  const gateway = await serveStore(undefined, { files: { 'gateway.json': { limits: { drain_ms: 100 } } } });
  const key = await save('stopped', {}, gateway);
  const client = await open(key, 'stopped', gateway);
  await client.next('session.created');
  gateway.signal('SIGTERM');
  expect(await client.next('error')).toMatchObject({ error: { code: 'stream-shut-down' } });
  expect((await client.closed).code).toBe(1012);
  expect(await gateway.exited).toBe(0);
});
