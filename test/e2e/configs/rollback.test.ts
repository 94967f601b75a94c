import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { nodeIo } from '../../../compiler/cli/files/node-io.ts';
import { main } from '../../../gw.ts';
import { type GwRun, runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';

const admin = 'the-admin-key-of-this-test-with-40-chars';
const secret = 'sk-first-abcdefghijklmnopqrstuvwxyz';

describe('gw configs rollback', () => {
  let gateway: GatewayProcess;

  beforeAll(async () => {
    gateway = await startGateway({
      files: {
        'one.json': { provider: 'openai', api_key: secret, override_params: { model: 'first' } },
        'two.json': { provider: 'echo' },
        'saved.json': { provider: '@gone' },
      },
      args: ['--store', 'gateway.db'],
      env: { GW_ADMIN_KEY: admin },
    });
    vi.stubEnv('GW_URL', gateway.origin);
    vi.stubEnv('GW_API_KEY', admin);
    vi.stubEnv('ECHO_KEY', 'sk-of-the-echo-12345');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await gateway.stop();
  });

  const gw = (line: string): Promise<GwRun> => runGw(gateway.folder, line.split(' '));

  const answering = async (line: string, answer: () => Promise<boolean>) => {
    let text = '';
    const write = (more: string): void => {
      text += more;
    };
    const out = { colour: false, write };
    const code = await main(line.split(' '), nodeIo({ cwd: gateway.folder, out, err: out, ask: answer }));
    return { code, text };
  };

  const shown = async (slug: string): Promise<Record<string, unknown>> =>
    JSON.parse((await gw(`configs get ${slug} --format json`)).out);

  const made = async (slug: string): Promise<void> => {
    expect((await gw(`configs create one.json --slug ${slug}`)).code).toBe(0);
    expect((await gw(`configs update ${slug} two.json`)).code).toBe(0);
  };

  it('shows what an earlier version changes, and changes nothing with --dry-run', async () => {
    await made('dry');
    const { code, out, err } = await gw('configs rollback dry --dry-run');
    expect([code, err]).toEqual([0, 'gw: Nothing was changed.\n']);
    expect(out).toBe((await gw('configs diff dry --before 2 --after 1')).out);
    expect(out).toContain('openai');
    expect(await shown('dry')).toMatchObject({ version: 2 });
    const json = await gw('configs rollback dry --dry-run --format json');
    expect(JSON.parse(json.out)).toMatchObject({ slug: 'dry', from: 2, to: 1, comparison: { same: false } });
  });

  it('restores an earlier version with its own secret, which is never shown, and can be undone', async () => {
    await made('back');
    const done = await gw('configs rollback back --yes');
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(done.out).toContain('Version 1 of back is in service again, as version 3.\n');
    expect(done.out).not.toContain(secret);
    const now = await shown('back');
    expect(now).toMatchObject({ version: 3, config: { provider: 'openai', override_params: { model: 'first' } } });
    expect(JSON.stringify(now)).not.toContain(secret);
    const equal = await fetch(`${gateway.baseUrl}/configs/back/compare`, {
      method: 'POST',
      headers: { 'x-gw-api-key': admin, 'content-type': 'application/json' },
      body: JSON.stringify({ values: { '/config/api_key': secret } }),
    });
    expect(JSON.stringify(await equal.json())).toContain('true');
    expect((await gw('configs rollback back --to 2 --yes')).out).toContain('Version 2 of back is in service again');
    expect(await shown('back')).toMatchObject({ version: 4, config: { provider: 'echo' } });
    expect(await gw('configs rollback back --to 4 --yes')).toEqual({
      code: 0,
      out: '',
      err: 'gw: Version 4 of back is in service.\n',
    });
  });

  it('asks for confirmation at a terminal, requires --yes elsewhere, and overwrites no change of others', async () => {
    await made('asked');
    expect(await gw('configs rollback asked')).toMatchObject({
      code: 2,
      err: 'gw: Confirmation is required, but there is no terminal. Add --yes, or --dry-run to see only what would change.\n',
    });
    const refused = await answering('configs rollback asked', async () => false);
    expect(refused.code).toBe(1);
    expect(refused.text).toContain('gw: Nothing was changed.');
    const late = await answering('configs rollback asked', async () => {
      expect((await gw('configs update asked one.json')).code).toBe(0);
      return true;
    });
    expect(late.code).toBe(1);
    expect(late.text).toContain('gw: asked was changed meanwhile, so the rollback was not applied.');
    expect(await shown('asked')).toMatchObject({ version: 3 });
  });

  it('rejects a version that names something deleted, and versions that do not exist', async () => {
    await gw('providers create --name Gone --slug gone --provider openai --key-env ECHO_KEY');
    expect((await gw('configs create saved.json --slug gone')).code).toBe(0);
    expect((await gw('configs update gone two.json')).code).toBe(0);
    expect((await gw('providers delete gone')).code).toBe(0);
    const broken = await gw('configs rollback gone --yes');
    expect(broken.code).toBe(1);
    expect(broken.err).toContain('gw: Version 1 now has errors, so nothing was changed.');
    expect(await shown('gone')).toMatchObject({ version: 2 });
    expect(await gw('configs rollback gone --to 7 --yes')).toMatchObject({ code: 1 });
    expect(await gw('configs rollback gone --to x --yes')).toMatchObject({ code: 2 });
    expect(await gw('configs rollback nothing --yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no config "nothing".'),
    });
    await gw('configs create two.json --slug alone');
    expect((await gw('configs rollback alone --yes')).err).toContain('There is no version before the one in service.');
    const both = await fetch(`${gateway.baseUrl}/configs/gone`, {
      method: 'PUT',
      headers: { 'x-gw-api-key': admin, 'content-type': 'application/json' },
      body: JSON.stringify({ version: 1, config: { provider: 'echo' } }),
    });
    expect(both.status).toBe(400);
  });
});
