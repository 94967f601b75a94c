import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { startGateway } from '../../support/gateways/gateway-process.ts';

const at = (custom_host: string) => ({ provider: 'openai-compatible', settings: { custom_host } });

const check = (settings: object, config: object = { provider: 'echo' }) =>
  runGw(temporaryFolder({ 'gateway.json': settings, 'a.json': config }), [
    ...['check', 'a.json', '--config', 'gateway.json', '--format', 'json'],
  ]);

const found = async (
  settings: object,
  config?: object,
): Promise<readonly (readonly [place: string, message: string, hint: string])[]> => {
  const { code, out } = await check(settings, config);
  const diagnostics = JSON.parse(out).files.flatMap((each: { diagnostics: readonly object[] }) => each.diagnostics);
  const warnings = diagnostics.filter((each: { code: string }) => each.code === 'untrusted-host');
  if (warnings.length > 0) expect(code).toBe(0);
  return warnings.map((each: { pointer: string; message: string; hint: string }) => [
    each.pointer,
    each.message,
    each.hint,
  ]);
};

describe('saved providers at hosts of a private network', () => {
  it.each(['vm:8000', '10.0.0.5:8080', '192.168.1.2', '[fe80::1]:80', '169.254.1.1'])(
    'cause warnings if %s is not trusted',
    async (host) => {
      const url = `http://${host}/v1`;
      const settings = { providers: { own: at(url) }, virtual_keys: { key: at(url) } };
      const { host: shown } = new URL(url);
      const warnings = await found(settings);
      expect(warnings.map(([place]) => place)).toEqual([
        '/providers/own/settings/custom_host',
        '/virtual_keys/key/settings/custom_host',
      ]);
      for (const [, message, hint] of warnings) {
        expect(message).toContain(`The gateway does not call ${shown}, and answers requests that need it with 502`);
        expect(hint).toMatch(/"trusted_hosts" of the gateway file, or to GW_TRUSTED_HOSTS/);
      }
      expect(await found({ ...settings, trusted_hosts: [shown] })).toEqual([]);
    },
  );

  it.each([
    ['http://localhost:11434/v1', 'the name "localhost" is not public.'],
    ['http://127.0.0.1:11434/v1', 'the address is not public.'],
    ['http://[::1]:11434/v1', 'an IPv6 address must be listed as trusted.'],
    ['http://127.0.0.1:27017/v1', 'the port 27017 is not allowed for HTTP.'],
  ])('at %s cause warnings if others may call the gateway, or if a list names only other hosts', async (url, why) => {
    const providers = { own: at(url) };
    expect(await found({ providers })).toEqual([]);
    const warnings = await found({ providers, auth: { keys: [{ id: 'a', key: '${env:KEY}' }] } });
    expect(warnings.map(([, message]) => message)).toEqual([
      `The gateway does not call ${new URL(url).host}, and answers requests that need it with 502: ${why} With keys, a store or other trusted hosts, this machine must be listed too.`,
    ]);
    expect(await found({ providers, trusted_hosts: ['models.internal'] })).toHaveLength(1);
  });

  it.each(['https://models.example.com/v1', 'http://models.internal/v1'])('at %s cause no warnings', async (url) => {
    expect(await found({ providers: { own: at(url) } })).toEqual([]);
  });

  it('cause a warning at the start, and requests to them are refused accordingly', async () => {
    const gateway = await startGateway({
      files: { 'gateway.json': { providers: { own: at('http://10.0.0.5:8080/v1') } } },
    });
    expect(gateway.printed()).toContain('warning[untrusted-host]: The gateway does not call 10.0.0.5:8080');
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: '@own/any', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect(answer.status).toBe(502);
    await gateway.stop();
  });
});

describe('targets of configs at hosts of a private network', () => {
  const target = (host: string) => ({ provider: 'vllm', custom_host: `http://${host}/v1` });

  it.each(['vm:8000', '10.0.0.5:8080', '[fe80::1]:8080'])('cause warnings if %s is not trusted', async (host) => {
    const config = { strategy: { mode: 'fallback' }, targets: [{ provider: 'echo' }, target(host)] };
    const warnings = await found({}, config);
    expect(warnings.map(([place]) => place)).toEqual(['/targets/1/custom_host']);
    expect(warnings[0]?.[1]).toContain(`The gateway does not call ${host}, and answers requests that need it with 502`);
    expect(await found({ trusted_hosts: [host] }, config)).toEqual([]);
  });

  it('cause warnings on this machine if others may call the gateway', async () => {
    expect(await found({}, target('localhost:8000'))).toEqual([]);
    expect(await found({ auth: { keys: [{ id: 'a', key: '${env:KEY}' }] } }, target('localhost:8000'))).toHaveLength(1);
  });

  it('cause no warnings if a proxy resolves their names', async () => {
    expect(await found({ proxy: 'http://proxy.internal:3128' }, target('vm:8000'))).toEqual([]);
  });

  it('cause no warnings if there is no gateway file', async () => {
    const folder = temporaryFolder({ 'a.json': target('vm:8000') });
    expect((await runGw(folder, ['check', 'a.json'])).out).not.toContain('untrusted-host');
  });

  it('cause warnings in gw doctor --offline and at the start', async () => {
    const files = { 'gateway.json': { configs: 'configs' }, 'configs/a.json': target('10.0.0.5:8000') };
    const { out } = await runGw(temporaryFolder(files), ['doctor', '--offline']);
    expect(out).toContain('The gateway does not call 10.0.0.5:8000');
    const gateway = await startGateway({ files });
    expect(gateway.printed()).toContain('warning[untrusted-host]: The gateway does not call 10.0.0.5:8000');
    await gateway.stop();
  });
});
