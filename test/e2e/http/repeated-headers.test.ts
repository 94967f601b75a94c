import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headerTable } from '../../../runtime/http/headers/header-table.ts';
import { credentialHeaders } from '../../../schema/credentials/credential-headers.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control, makeKey } from '../../support/gateways/stored-gateway.ts';
import { type RawAnswer, rawHttp } from '../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

const single = [
  ...new Set([
    ...headerTable.filter(({ repeated }) => repeated === 'refused').map(({ name }) => name),
    ...credentialHeaders,
  ]),
];

describe('a header with two values', () => {
  let upstream: TestUpstream;
  let open: GatewayProcess;
  let stored: GatewayProcess;

  beforeAll(async () => {
    upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
    const target = { provider: 'openai', api_key: '${env:SAVED_KEY}', custom_host: `${upstream.origin}/v1` };
    const files = {
      'gateway.json': { configs: 'configs', default_config: 'all' },
      'configs/all.json': target,
    };
    const env = { SAVED_KEY: 'key-of-the-operator', GW_ADMIN_KEY: adminKey };
    open = await startGateway({ files, env });
    stored = await startGateway({ files, env, args: ['--store', 'gateway.db'] });
  });
  afterAll(async () => {
    await Promise.all([open.stop(), stored.stop()]);
    await upstream.close();
  });

  const send = (gateway: GatewayProcess, path: string, lines: readonly string[]): Promise<RawAnswer> =>
    rawHttp(gateway.origin, {
      method: 'POST',
      path,
      lines: ['content-type: application/json', ...lines],
      body: Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })),
    });

  const paths = ['/v1/chat/completions', '/v1/messages', '/v1/assistants', '/v1/proxy/assistants', '/v1/files'];

  it.each(single)('is rejected by name before the caller is identified: %s', async (name) => {
    const key = name === 'x-gw-api-key' ? [] : [`x-gw-api-key: ${adminKey}`];
    const pairs = [
      [`${name}: ${adminKey}`, `${name.toUpperCase()}: other`],
      [`${name}: other`, `${name}: ${adminKey}`],
    ];
    const before = upstream.requests.length;
    for (const pair of pairs) {
      for (const path of paths) {
        const gateways = [[open, pair] as const, [stored, [...key, ...pair]] as const];
        for (const [gateway, lines] of gateways) {
          const answer = await send(gateway, path, lines);
          expect(answer.statusLine, `${path} ${lines}`).toContain(' 400 ');
          expect(answer.body.toString()).toContain(`The header ${name} is not valid: it occurs more than once`);
          expect(answer.body.toString()).not.toContain(adminKey);
        }
      }
      const answer = await rawHttp(stored.origin, { method: 'GET', path: '/v1/api-keys', lines: [...key, ...pair] });
      expect(answer.statusLine).toContain(' 400 ');
      expect(answer.body.toString()).toContain(`The header ${name} is not valid: it occurs more than once`);
    }
    expect(upstream.requests.length).toBe(before);
  });

  it.each(['two keys', 'two workspaces'])('is rejected even if each of them would be accepted: %s', async (which) => {
    const { key } = await makeKey(stored, which);
    const slug = which.replaceAll(' ', '-');
    await control(stored, 'POST /workspaces', { body: { name: slug, slug } });
    const [admin, app] = [`x-gw-api-key: ${adminKey}`, `x-gw-api-key: ${key}`];
    const [one, two] = ['x-gw-workspace: default', `x-gw-workspace: ${slug}`];
    const before = upstream.requests.length;
    for (const lines of which === 'two keys'
      ? [
          [admin, app],
          [app, admin],
        ]
      : [
          [admin, one, two],
          [admin, two, one],
        ]) {
      const chat = await send(stored, '/v1/chat/completions', lines);
      expect(chat.statusLine, lines.join()).toContain(' 400 ');
      const list = await rawHttp(stored.origin, { method: 'GET', path: '/v1/configs', lines });
      expect(list.statusLine, lines.join()).toContain(' 400 ');
    }
    expect(upstream.requests.length).toBe(before);
  });

  it('counts as one header if its lines are equal', async () => {
    for (const line of [`x-gw-api-key: ${adminKey}`, `authorization: Bearer ${adminKey}`]) {
      const answer = await rawHttp(stored.origin, { method: 'GET', path: '/v1/api-keys', lines: [line, line] });
      expect(answer.statusLine).toContain(' 200 ');
    }
    const answer = await send(open, '/v1/chat/completions', ['x-gw-config: all', 'X-GW-Config: all']);
    expect(answer.statusLine).toContain(' 200 ');
  });
});
