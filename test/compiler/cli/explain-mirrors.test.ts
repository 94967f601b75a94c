import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { loadPlan } from '../../../schema/plan/load-plan.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const mirror = {
  target: { name: 'copy', provider: 'anthropic', api_key: '${env:CLAUDE}', override_params: { model: 'c' } },
  percent: 2.5,
  checks: ['similar'],
};

const config = {
  strategy: { mode: 'loadbalance', balance: 'latency' },
  mirror,
  targets: ['a', 'b'].map((name) => ({
    ...{ name, provider: 'openai', api_key: '${env:OPENAI}', override_params: { model: name } },
  })),
};

it('gw explain shows a mirror next to the targets, with its host, secret, checks and calls', async () => {
  const cwd = temporaryFolder({ 'app.json': config });
  const { out } = await runGw(cwd, ['explain', 'app.json']);
  for (const line of [
    'At most 2 upstream calls',
    'copied in 2.5 % of requests, in the background: copy  anthropic',
    'similar',
    'api.anthropic.com:443',
    '${env:CLAUDE}',
  ])
    expect(out).toContain(line);
});

it('gw explain shows where the copy of a request would go', async () => {
  const cwd = temporaryFolder({ 'app.json': { ...config, mirror: { ...mirror, percent: 100 } }, 'request.json': {} });
  const { out } = await runGw(cwd, ['explain', 'app.json', '--request', 'request.json']);
  expect(out).toMatch(/config +sent a copy to copy\n/);
});

it('gw compile writes a mirror to the plan, which then requires a build that supports mirrors', async () => {
  const cwd = temporaryFolder({ 'app.json': config });
  expect(await runGw(cwd, ['compile', 'app.json', '--out', '.'])).toMatchObject({ code: 0 });
  const plan = loadPlan(readFileSync(path.join(cwd, 'app.plan.json'), 'utf8'));
  expect(plan.requires.features).toEqual(['balance', 'mirror', 'output-checks']);
  expect(plan.bounds).toMatchObject({ calls: 2, targets: ['a', 'b'] });
  expect(plan.root.mirrors).toMatchObject([{ path: '', percent: 2.5, leaf: { path: '/mirror/target' } }]);
});
