import { describe, expect, it } from 'vitest';
import { startGateway } from '../../support/gateway-process.ts';
import { runGw } from '../../support/run-gw.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const at = (custom_host: string) => ({ provider: 'openai-compatible', settings: { custom_host } });

const check = (settings: object) =>
  runGw(temporaryFolder({ 'gateway.json': settings, 'a.json': { provider: 'echo' } }), [
    ...['check', 'a.json', '--config', 'gateway.json', '--format', 'json'],
  ]);

const found = async (
  settings: object,
): Promise<readonly (readonly [place: string, message: string, hint: string])[]> => {
  const { code, out } = await check(settings);
  const diagnostics = JSON.parse(out).files.flatMap((each: { diagnostics: readonly object[] }) => each.diagnostics);
  const warnings = diagnostics.filter((each: { code: string }) => each.code === 'untrusted-host');
  if (warnings.length > 0) expect(code).toBe(0);
  return warnings.map((each: { pointer: string; message: string; hint: string }) => [
    each.pointer,
    each.message,
    each.hint,
  ]);
};

describe('saved providers at hosts of an own network', () => {
  it.each(['10.0.0.5:8080', '192.168.1.2', '[fe80::1]:80', '169.254.1.1'])(
    'are warned of while %s is not trusted',
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
        expect(message).toContain(`Nothing is sent to ${shown}, and requests that need it are answered with 502`);
        expect(hint).toMatch(/"trusted_hosts" of this file, or to GW_TRUSTED_HOSTS/);
      }
      expect(await found({ ...settings, trusted_hosts: [shown] })).toEqual([]);
    },
  );

  it.each(['http://localhost:11434/v1', 'http://127.0.0.1:11434/v1'])(
    'at %s are warned of where others may call the gateway, or a list has others',
    async (url) => {
      const providers = { own: at(url) };
      expect(await found({ providers })).toEqual([]);
      expect(await found({ providers, auth: { keys: [{ id: 'a', key: '${env:KEY}' }] } })).toHaveLength(1);
      expect(await found({ providers, trusted_hosts: ['models.internal'] })).toHaveLength(1);
    },
  );

  it.each(['https://models.example.com/v1', 'http://models.internal/v1'])('at %s are not', async (url) => {
    expect(await found({ providers: { own: at(url) } })).toEqual([]);
  });

  it('are warned of at the start, and refused as it says', async () => {
    const gateway = await startGateway({
      files: { 'gateway.json': { providers: { own: at('http://10.0.0.5:8080/v1') } } },
    });
    expect(gateway.printed()).toContain('warning[untrusted-host]: Nothing is sent to 10.0.0.5:8080');
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: '@own/any', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect(answer.status).toBe(502);
    await gateway.stop();
  });
});
