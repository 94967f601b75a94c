import { readdirSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { checks } from '../../../gw/doctor/checks.ts';
import { runDoctor } from '../../support/commands/run-doctor.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';

const masterKey = Buffer.alloc(32, 1).toString('base64');

it('reports no problem in a healthy set-up, with all checks and within its time limit', async () => {
  const upstream = await startUpstream((call) =>
    call.json({ data: [{ id: 'm' }] }, { headers: { date: new Date().toUTCString() } }),
  );
  onTestFinished(() => upstream.close());
  const folder = temporaryFolder({
    'gateway.json': {
      listen: { port: await freePort() },
      configs: 'configs',
      default_config: 'prod',
      trusted_hosts: ['127.0.0.1'],
      providers: {
        main: {
          provider: 'openai',
          credential: { api_key: '${env:MAIN_KEY}' },
          settings: { custom_host: `${upstream.origin}/v1` },
        },
      },
      store: { url: 'gateway.db', ledger: { keep_mb: 8 } },
      log: { keep_mb: 8 },
      metrics: { port: await freePort() },
      spool_dir: 'spool',
      limits: { forms_bytes: 1024 },
    },
    'configs/prod.json': { provider: '@main', override_params: { model: 'gpt-4o' } },
    'spool/.keep': '',
  });
  const env = { MAIN_KEY: 'a-key', GW_MASTER_KEY: masterKey };
  const run = await runDoctor(folder, { env });
  expect([run.problems, run.notes, run.code]).toEqual([[], [], 0]);
  expect(run.checks).toEqual(checks.map(({ id }) => id));
  expect(readdirSync(folder).toSorted()).toEqual(['configs', 'gateway.json', 'spool']);
  expect(upstream.requests.map(({ path }) => path)).toEqual(['/v1', '/v1/models']);
});
