import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignKeyHeaders } from '../../../schema/http/foreign-key-headers.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

/** Each header of the table. Prefixes are completed with several endings. */
const names = foreignKeyHeaders.flatMap(({ name }) =>
  name.endsWith('-')
    ? ['api-key', 'virtual-key', 'config', 'aws-secret-access-key', 'new'].map((end) => name + end)
    : name,
);

const spellings = (name: string): readonly string[] => [
  name,
  name.toUpperCase(),
  name.replaceAll(/(?<=^|-)\w/g, (letter) => letter.toUpperCase()),
];

const secret = 'key-of-the-former-gateway';
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });

describe('key headers of other gateways', () => {
  let upstream: TestUpstream;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
    const target = { provider: 'openai', api_key: '${env:SAVED_KEY}', custom_host: `${upstream.origin}/v1` };
    gateway = await startGateway({
      files: {
        'gateway.json': { configs: 'configs' },
        'configs/plain.json': target,
        'configs/forwarding.json': { ...target, forward_headers: names },
      },
      env: { SAVED_KEY: 'key-of-the-operator' },
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.close();
  });

  const call = async (path: string, lines: readonly string[]): Promise<readonly string[]> => {
    const before = upstream.requests.length;
    const answer = await rawHttp(gateway.origin, {
      method: 'POST',
      path,
      lines: ['content-type: application/json', 'authorization: Bearer callers', ...lines],
      body: Buffer.from(body),
    });
    expect(answer.statusLine).toContain(' 200 ');
    expect(upstream.requests.length).toBe(before + 1);
    return upstream.requests.at(-1)?.rawHeaders ?? [];
  };

  const paths = ['/v1/chat/completions', '/v1/assistants', '/v1/proxy/assistants', '/v1/messages'];

  it.each(names)('are not forwarded unless a config names them: %s', async (name) => {
    for (const path of paths)
      for (const spelled of spellings(name)) {
        const lines = [`${spelled}: ${secret}`, `${spelled}: Bearer ${secret}`, 'x-kept: 1'];
        const plain = await call(path, ['x-gw-config: plain', ...lines]);
        expect(plain.join('\n'), path).not.toContain(secret);
        expect(plain.map((each) => each.toLowerCase())).not.toContain(name);
        expect(plain.includes('x-kept')).toBe(path.endsWith('assistants'));
        expect(await call(path, ['x-gw-config: forwarding', ...lines]), path).toEqual(
          expect.arrayContaining([spelled, secret]),
        );
      }
  });

  it('do not include headers that only begin alike', async () => {
    for (const name of [
      'x-portkey',
      'x-litellm-api-key-id',
      'helicone-property-app',
      'x-bf',
      'apikeys',
      'cf-aig-metadata',
    ])
      expect(await call('/v1/assistants', ['x-gw-config: plain', `${name}: a`])).toContain(name);
  });
});
