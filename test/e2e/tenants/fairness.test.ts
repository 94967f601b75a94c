import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import OpenAI, { APIError, toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { poolSizes } from '../../../plugins/control/kernel/fairness/shared-pools.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicAnswer, anthropicStream } from '../../support/vendors/anthropic-wire.ts';

/** Three tenants whose requests never end, and one whose requests do. */
const floods = ['red', 'green', 'blue'] as const;
const calm = 'calm';
const tenants = [...floods, calm] as const;
type Tenant = (typeof tenants)[number];

const keys = new Map<Tenant, string>();
let gateway: GatewayProcess;
let upstream: TestUpstream;
/** The id of a response that does not end. */
let hangs = '';
/** How many requests of each tenant are hanging at the provider. */
const hanging = new Map<string, number>();

beforeAll(async () => {
  upstream = await startUpstream((call) => {
    const body = call.request.body.toString();
    const flood = floods.find((name) => body.includes(`hang ${name}`));
    if (flood !== undefined) return void hanging.set(flood, (hanging.get(flood) ?? 0) + 1);
    if (call.request.json().stream !== true) return call.json(anthropicAnswer({ text: 'Hello!' }));
    const stream = call.sse();
    for (const frame of anthropicStream({ text: 'Hello!' })) stream.send(frame);
    return stream.end();
  });
  gateway = await startGateway({
    args: ['--store', 'gateway.db'],
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
  for (const slug of tenants) {
    await control(gateway, 'POST /workspaces', { body: { name: slug, slug } });
    const settings = { custom_host: `${upstream.origin}/v1` };
    await control(gateway, 'POST /providers', {
      body: { name: 'claude', slug: 'claude', provider: 'anthropic', credential: { api_key: 'sk-a' }, settings },
      workspace: slug,
    });
    const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
      body: { name: 'app', scopes: ['completions.write'], workspace_id: slug },
    });
    keys.set(slug, key);
  }
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

const toClient = (tenant: Tenant, provider = '@claude', header = 'x-gw-provider'): OpenAI =>
  new OpenAI({
    ...{ baseURL: gateway.baseUrl, apiKey: keys.get(tenant), maxRetries: 0 },
    defaultHeaders: { [header]: provider },
  });

/** Runs something this often, some of it concurrently, and returns the results. */
const many = async <Result>(count: number, run: () => Promise<Result>): Promise<readonly (Result | APIError)[]> => {
  const results: (Result | APIError)[] = [];
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      results.push(
        await run().catch((error: unknown) => {
          if (error instanceof APIError) return error;
          throw error;
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return results;
};

const asked = (input: string) => ({ model: 'claude-x', input, background: true }) as const;

describe('while three tenants demand more than is available,', () => {
  it('a fourth gets its background response, and each of the three gets at most a quarter of the running ones', async () => {
    const [red] = floods;
    const answers = await many(1100, () => toClient(red).responses.create(asked(`hang ${red}`)));
    const refused = answers.filter((answer) => answer instanceof APIError);
    hangs = answers.flatMap((answer) => (answer instanceof APIError ? [] : [answer.id]))[0] ?? '';
    const [first] = refused;
    // 64 run, and 1,000 wait.
    expect([answers.length - refused.length, first?.status, first?.headers?.get('retry-after')]).toEqual([
      1064,
      429,
      '5',
    ]);
    expect(first).toMatchObject({
      type: 'rate_limit_error',
      message: expect.stringContaining('1000 responses in the background'),
    });
    for (const flood of floods.slice(1)) await many(70, () => toClient(flood).responses.create(asked(`hang ${flood}`)));
    await expect.poll(() => floods.map((flood) => hanging.get(flood))).toEqual([64, 64, 64]);
    const { id } = await toClient(calm).responses.create(asked('Hello?'));
    await expect.poll(async () => (await toClient(calm).responses.retrieve(id)).status).toBe('completed');
    expect(floods.map((flood) => hanging.get(flood))).toEqual([64, 64, 64]);
  });

  it('a fourth gets its batch', async () => {
    hanging.clear();
    const toBatches = (tenant: Tenant) => toClient(tenant, 'claude', 'x-gw-virtual-key').batches;
    const readBatch = async (tenant: Tenant, content: string) => {
      const body = { model: 'claude-x', max_tokens: 9, messages: [{ role: 'user', content }] };
      const line = { method: 'POST', url: '/v1/chat/completions', body };
      const text = Array.from({ length: 30 }, (_, at) => `${JSON.stringify({ custom_id: String(at), ...line })}\n`);
      const file = await toFile(Buffer.from(text.join('')), 'lines.jsonl');
      const { id } = await toClient(tenant, 'gw').files.create({ purpose: 'batch', file });
      return toBatches(tenant).create({
        ...{ input_file_id: id, endpoint: '/v1/chat/completions' as const, completion_window: 'immediate' as '24h' },
      });
    };
    for (const flood of floods) for (let count = 0; count < 6; count += 1) await readBatch(flood, `hang ${flood}`);
    await expect.poll(() => floods.every((flood) => (hanging.get(flood) ?? 0) >= 4)).toBe(true);
    const { id } = await readBatch(calm, 'Hello?');
    await expect.poll(async () => (await toBatches(calm).retrieve(id)).status).toBe('completed');
  });

  it('a fourth gets its event stream and can write, even if another has all the streams it may have', async () => {
    const [red] = floods;
    const share = poolSizes.eventStreams.size / 4;
    const open: ClientRequest[] = [];
    const stream = async (tenant: Tenant, of: string): Promise<IncomingMessage> => {
      const sent = request(`${gateway.baseUrl}/responses/${of}?stream=true`, {
        headers: { 'x-gw-api-key': keys.get(tenant) },
        agent: false,
      });
      open.push(sent);
      sent.on('error', () => {});
      sent.end();
      const [answer] = await once(sent, 'response');
      return answer;
    };
    const answers = await many(share + 20, () => stream(red, hangs));
    const seen = answers.map((answer) => {
      if (answer instanceof APIError) throw answer;
      return `${answer.statusCode} ${answer.headers['retry-after'] ?? ''}`;
    });
    expect(Object.entries(Object.groupBy(seen, (each) => each)).map(([each, all]) => [each, all?.length])).toEqual([
      ['200 ', share],
      ['429 1', 20],
    ]);
    const events: string[] = [];
    for await (const event of await toClient(calm).responses.create({ ...asked('Hello?'), stream: true }))
      events.push(event.type);
    expect(events.at(-1)).toBe('response.completed');
    await control(gateway, 'POST /workspaces', { body: { name: 'New', slug: 'new' } });
    // Streams that have ended make room.
    for (const each of open) each.destroy();
    await expect.poll(async () => (await stream(red, hangs)).statusCode).toBe(200);
    for (const each of open) each.destroy();
  });
});
