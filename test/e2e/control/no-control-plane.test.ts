import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { declaredRows } from '../../../plugins/control/control-routes.ts';
import { commandFiles, everyCommand, secretVariable } from '../../plugins/control/cli/support/every-command.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

const operatorKey = 'sk-of-the-operator-0123456789';
const rows = declaredRows();
const own = rows.filter(({ shared = false }) => !shared);

describe('a gateway without a store, whose default config names a provider', () => {
  let upstream: TestUpstream;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    upstream = await startUpstream((call) => call.json({ object: 'list', data: [], success: true }));
    const config = { provider: 'openai', api_key: '${env:OPERATOR_KEY}', custom_host: `${upstream.origin}/v1` };
    gateway = await startGateway({
      files: {
        ...commandFiles,
        'configs/all.json': config,
        'gateway.json': { configs: './configs', default_config: 'all' },
      },
      env: { OPERATOR_KEY: operatorKey },
    });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await gateway.stop();
    await upstream.close();
  });

  it.each(own.map(({ method, path }, at) => [method, path, at] as const))(
    'sends no control plane request to a provider: %s %s',
    async (method, path, at) => {
      const before = upstream.requests.length;
      const filled = path.replaceAll(/\{\w+\}/g, 'x');
      const json = ['content-type: application/json'];
      const provider = [
        'x-gw-provider: openai',
        'authorization: Bearer sk-callers',
        `x-gw-custom-host: ${upstream.origin}`,
      ];
      const spellings = [`/v1${filled}`, `/v1/v1/${filled}/`, `/v1/proxy${filled}?x=1`, `//v1/.${filled}`];
      const heads = [json, [...json, ...provider], [...json, 'x-gw-config: all']];
      for (const [spelledAt, spelled] of spellings.entries())
        for (const lines of heads.filter((_, linesAt) => isSampled(at + spelledAt, linesAt, heads.length))) {
          const body = method === 'GET' || method === 'DELETE' ? undefined : Buffer.from('{"key":"sk-secret"}');
          const answer = await rawHttp(gateway.origin, { method, path: spelled, lines, ...(body && { body }) });
          expect(answer.statusLine, spelled).toContain(' 404 ');
          expect(JSON.parse(answer.body.toString())).toEqual({
            error: {
              message:
                'This gateway has no control plane. Its operator can start it with a store: gw serve --store FILE.',
              type: 'not_found_error',
              param: null,
              code: 'no-control-plane',
            },
          });
        }
      expect(upstream.requests.length).toBe(before);
    },
  );

  it('passes on the paths that providers have too', async () => {
    for (const path of new Set(rows.filter(({ shared }) => shared === true).map((row) => row.path))) {
      const before = upstream.requests.length;
      const answer = await rawHttp(gateway.origin, { method: 'GET', path: `/v1${path.replaceAll(/\{\w+\}/g, 'x')}` });
      expect(answer.statusLine, path).toContain(' 200 ');
      expect(upstream.requests.length).toBe(before + 1);
      expect(upstream.requests.at(-1)?.header('authorization')).toBe(`Bearer ${operatorKey}`);
    }
  });

  it.each(everyCommand.map(({ argv }) => [argv.join(' '), argv] as const))(
    'makes a command fail instead of reporting success: gw %s',
    async (_line, argv) => {
      const before = upstream.requests.length;
      vi.stubEnv('GW_URL', gateway.origin);
      vi.stubEnv(secretVariable, 'sk-secret');
      const { code, out, err } = await runGw(gateway.folder, argv);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(`gw: There is no control plane at ${gateway.baseUrl}.`);
      expect(upstream.requests.length).toBe(before);
    },
  );
});
