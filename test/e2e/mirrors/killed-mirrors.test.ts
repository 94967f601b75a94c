import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { control, makeKey } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import type { UpstreamCall } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import {
  asked,
  makePolicy,
  saveTarget,
  scriptedUpstream,
  serveLimited,
  toSum,
} from '../limits/support/limited-gateway.ts';

/** Returns the tokens and attempts in the ledger. */
const written = async (
  gateway: Pick<GatewayProcess, 'baseUrl'>,
): Promise<readonly [tokens: number, attempts: number]> => {
  const { summary } = (await control(gateway, 'GET /usage')) as {
    readonly summary: { readonly input_tokens: number; readonly output_tokens: number; readonly attempts: number };
  };
  return [summary.input_tokens + summary.output_tokens, summary.attempts];
};

/** Answers with the usage that the request specifies. */
const answerAsAsked = (call: UpstreamCall): void => {
  const { input, output } = JSON.parse(JSON.parse(call.request.body.toString()).messages[0].content);
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  call.json({ ...openaiAnswer({ text: 'Hello!' }), usage });
};

/** Starts a gateway with a budget that copies every request. */
const serveMirrored = async () => {
  const folder = temporaryFolder();
  const [primary, copies] = await Promise.all([scriptedUpstream(), scriptedUpstream()]);
  const gateway = await serveLimited('gateway.db', { folder });
  await saveTarget(gateway, { upstream: primary });
  await saveTarget(gateway, { upstream: copies, slug: 'other' });
  const key = await makeKey(gateway, 'app');
  const policy = await makePolicy(gateway, 'usage-limits', { type: 'tokens', credit_limit: 100_000 });
  const config = { provider: '@main', mirror: { target: { provider: '@other' }, percent: 100 } };
  await control(gateway, 'POST /configs', { body: { name: 'app', slug: 'app', config } });
  return { folder, copies, gateway, policy, by: { ...key, config: 'app' } };
};

it('a killed gateway has charged each finished copy once, and a copy that it cut off as one of unknown usage', async () => {
  const { folder, copies, by, policy, ...first } = await serveMirrored();
  let { gateway } = first;
  let [tokens, attempts] = [0, 0];
  for (let kill = 0; kill < 2; kill += 1) {
    for (const input of [40, 50]) expect((await asked(gateway, { input, output: 10 }, by)).status).toBe(200);
    // Each request and its copy have the same usage.
    tokens += 2 * (50 + 60);
    attempts += 4;
    await vi.waitFor(async () => expect(await written(gateway)).toEqual([tokens, attempts]), patience);
    const sent = copies.requests.length;
    copies.handle(() => {});
    expect((await asked(gateway, { input: 20, output: 10 }, by)).status).toBe(200);
    await vi.waitFor(() => expect(copies.requests).toHaveLength(sent + 1), patience);
    tokens += 30;
    attempts += 1;
    await vi.waitFor(async () => expect(await written(gateway)).toEqual([tokens, attempts]), patience);
    // A copy is under way.
    gateway.signal('SIGKILL');
    await gateway.exited;
    gateway = await serveLimited('gateway.db', { folder });
    expect(await written(gateway)).toEqual([tokens, attempts]);
    expect(await toSum(gateway, policy)).toBe(tokens);
    copies.handle(answerAsAsked);
  }
  const sent = copies.requests.length;
  copies.handle(() => {});
  expect((await asked(gateway, { input: 40, output: 10 }, by)).status).toBe(200);
  await vi.waitFor(() => expect(copies.requests).toHaveLength(sent + 1), patience);
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
  const last = await serveLimited('gateway.db', { folder });
  const [charged, all] = await written(last);
  expect(all).toBe(attempts + 2);
  expect(charged).toBeGreaterThan(tokens + 50);
  expect(await toSum(last, policy)).toBe(charged);
});
