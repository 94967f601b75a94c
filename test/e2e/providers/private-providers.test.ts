import { describe, expect, it } from 'vitest';
import { adminKey, callControl, chatUpstream, serveStore, sharedStore } from '../../support/gateways/stored-gateway.ts';

const hosts = [
  'localhost:11434',
  '127.0.0.1:8000',
  '10.0.0.7',
  '192.168.1.20:8080',
  'vllm:8000',
  'vllm.models.svc.cluster.local:8000',
  'models.internal',
];

const provider = (customHost: string, slug = 'mine') => ({
  ...{ name: 'Mine', slug, provider: 'openai', key: 'sk-saved' },
  settings: { custom_host: customHost },
});

const toProblem = ({ text }: { readonly text: string }): string => text.replaceAll('\\"', '"');

describe('a provider on the network of the operator', () => {
  it('is rejected with a hint that lists its host', async () => {
    const gateway = await serveStore(undefined, { unset: ['GW_TRUSTED_HOSTS'] });
    for (const host of hosts) {
      const answered = await callControl(gateway, 'POST /providers', { body: provider(`http://${host}/v1`) });
      expect(answered.status, host).toBe(400);
      expect(toProblem(answered), host).toContain(`"trusted_hosts": ["${host}"] in the gateway file`);
      expect(toProblem(answered), host).toContain(`GW_TRUSTED_HOSTS=${host}.`);
    }
  });

  it('can be saved and called if the hint was followed', async () => {
    const upstream = await chatUpstream();
    const { host } = new URL(upstream.origin);
    const gateway = await serveStore(undefined, { env: { GW_TRUSTED_HOSTS: [...hosts, host].join(',') } });
    for (const [at, each] of hosts.entries()) {
      const answered = await callControl(gateway, 'POST /providers', {
        body: provider(`http://${each}/v1`, `mine-${at}`),
      });
      expect(answered.status, each).toBe(200);
    }
    await callControl(gateway, 'POST /providers', { body: provider(`${upstream.origin}/v1`) });
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-api-key': adminKey, 'x-gw-provider': '@mine' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi!' }] }),
    });
    expect(answer.status).toBe(200);
  });

  const served = sharedStore();
  it.each(['http://me:secret@localhost/v1', 'ftp://localhost/v1'])(
    'gets no hint about trusted hosts if its URL is the mistake: %s',
    async (url) => {
      const answered = await callControl(served(), 'POST /providers', { body: provider(url) });
      expect(answered.status).toBe(400);
      expect(answered.text).not.toContain('trusted_hosts');
    },
  );
});
