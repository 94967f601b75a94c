import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GwRun, runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { useGateway } from './support/asking.ts';

const secret = 'sk-1234567890-of-the-store';

let gateway: GatewayProcess;

const config = (...models: readonly string[]): object => ({
  strategy: { mode: 'fallback' },
  targets: models.map((model) => ({ name: model, provider: 'openai', api_key: secret, override_params: { model } })),
});

beforeAll(async () => {
  gateway = await startGateway({ args: ['--store', 'gateway.db'], env: { GW_ADMIN_KEY: adminKey } });
  await control(gateway, 'POST /configs', { body: { name: 'Chat', slug: 'chat', config: config('m') } });
  await control(gateway, 'PUT /configs/chat', { body: { config: config('m', 'n') } });
});
afterAll(() => gateway.stop());

const gw = async (files: Readonly<Record<string, object>>, ...argv: readonly string[]): Promise<GwRun> => {
  useGateway({ GW_URL: gateway.origin, GW_API_KEY: adminKey });
  const run = await runGw(temporaryFolder(files), argv);
  expect(run.out + run.err).not.toContain(secret);
  return run;
};

const change = 'All requests\n  before   m\n  after    m\n             on anything but 2xx: n\n';

it('compares two versions of a saved config, and a saved config with a file', async () => {
  const both = await gw({}, 'diff', 'chat@1', 'chat@2');
  expect({ code: both.code, out: both.out }).toEqual({ code: 1, out: expect.stringContaining(change) });
  expect(both.out).toContain('Credentials that are written out in a config were not compared.');
  expect((await gw({}, 'diff', 'chat@2', 'chat')).code).toBe(0);
  const file = { provider: 'openai', api_key: '${env:KEY}', override_params: { model: 'm' } };
  const { code, out } = await gw({ 'chat.json': file }, 'diff', 'chat', 'chat.json');
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('credentials') });
});

it('reports the newest version if the requested one does not exist', async () => {
  const { code, err } = await gw({}, 'diff', 'chat@1', 'chat@7');
  expect({ code, err }).toEqual({
    code: 2,
    err: `gw: The config "chat" has no version 7 in the store of ${gateway.origin}. Its newest version is 2.\n`,
  });
});

it('makes the gateway compare two versions, or a saved config with an unsaved file', async () => {
  expect(await gw({}, 'configs', 'diff', 'chat', '--before', '1')).toMatchObject({
    code: 0,
    out: expect.stringContaining(change),
  });
  const { code, out } = await gw({ 'chat.json': config('n') }, 'configs', 'update', 'chat', 'chat.json', '--dry-run');
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('  after    n\n') });
});
