import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { toObjects } from '../../../schema/json/loose.ts';
import { vendors } from '../../support/embeddings/vendors.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([
    startGateway({ files: { 'gateway.json': { limits: { body_bytes: 1_000_000, bodies_bytes: 30_000_000 } } } }),
    startUpstream((call) => call.json({ error: { message: 'No.' }, message: 'No.' }, { status: 400 })),
  ]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** Requests the vectors of this many empty texts, of three bytes each. */
const ask = async (
  count: number,
  model: string,
  { provider, base, settings }: Pick<(typeof vendors)[number], 'provider' | 'base' | 'settings'>,
): Promise<readonly [status: number, code: unknown, sent: number]> => {
  const before = upstream.requests.length;
  const answer = await fetch(`${gateway.baseUrl}/embeddings`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-config': JSON.stringify({ provider, ...settings, api_key: 'k', custom_host: `${upstream.origin}${base}` }),
    },
    body: `{"model":${JSON.stringify(model)},"input":[${'"",'.repeat(count - 1)}""]}`,
  });
  const { error } = (await answer.json()) as { readonly error: { readonly code?: unknown } };
  return [answer.status, error.code, upstream.requests.length - before];
};

const [google = expect.unreachable()] = vendors.filter(({ provider }) => provider === 'google');

const foreign = vendors.filter(({ path }) => path !== '/v1/embeddings');

it.each(foreign)('refuses a very long model name that $provider would receive for each text', async (vendor) => {
  const { model = 'm' } = vendor;
  expect(await ask(3000, model + 'm'.repeat(100_000), vendor)).toEqual([400, 'invalid-request', 0]);
});

it('refuses a list that would become too large before it is written', async () => {
  expect(await ask(300_000, 'm'.repeat(1024), google)).toEqual([400, 'too-many-texts', 0]);
});

it('sends a list in parts, however long it is in the format of the provider', async () => {
  const [status, , sent] = await ask(200_000, 'm', google);
  expect(status).toBe(400);
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThanOrEqual(4);
  for (const request of upstream.requests.slice(-sent))
    expect(toObjects((request.json() as JsonObject).requests)).toHaveLength(100);
});

it('refuses a request that becomes larger than the memory for request bodies', async () => {
  expect(await ask(100_000, 'm'.repeat(1024), google)).toEqual([503, 'overloaded', 0]);
});
