import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { errorTable } from '../../../schema/errors/errors.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { adminKey, control, makeKey, type NewKey, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { enoughOfDay } from '../../support/run/enough-of-day.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { asked, gatewayFile, makePolicy, saveTarget } from '../limits/support/limited-gateway.ts';
import { readRecord } from './support/logged.ts';

const shared = sharedStore(() => ({ files: { 'gateway.json': gatewayFile }, env: { GW_LOG: 'requests' } }));
let upstream: TestUpstream;
let key: NewKey;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
  await saveTarget(shared(), { upstream });
  key = await makeKey(shared(), 'limited');
  await enoughOfDay();
});
afterAll(() => upstream?.close());

/** It has the form of a provider's credential that somebody sends by mistake instead of a name. */
const credential = `sk-ant-api03-${'aB3dE5'.repeat(16)}`;

it('names in records, lines and tables the limit, host or config that caused a problem', async () => {
  const gateway = shared();
  vi.stubEnv('GW_URL', gateway.origin);
  vi.stubEnv('GW_API_KEY', adminKey);
  onTestFinished(() => void vi.unstubAllEnvs());
  const of = (user: string) => ({
    conditions: [{ key: 'metadata._user', value: user }],
    group_by: [{ key: 'metadata._user' }],
  });
  await makePolicy(gateway, 'usage-limits', { name: 'Small', type: 'tokens', credit_limit: 0, ...of('small') });
  await makePolicy(gateway, 'rate-limits', { name: 'Slow', type: 'requests', unit: 'rpd', value: 0, ...of('slow') });
  await makePolicy(gateway, 'usage-limits', {
    ...{ name: 'Priced', type: 'cost', credit_limit: 1, if_unknown: 'refuse', ...of('priced') },
  });
  const by = (user: string, model?: string) => ({
    metadata: { _user: user },
    ...(model === undefined ? {} : { model }),
  });
  const rows: readonly (readonly [object, keyof typeof errorTable, string])[] = [
    [by('small'), 'usage-exhausted', 'the limit "Small" for _user "small"'],
    [by('slow'), 'rate-limited', 'the limit "Slow" for _user "slow"'],
    [by('priced', 'free'), 'unpriced-model', 'the model "free" and the limit "Priced"'],
    [{ config: 'wrong-name' }, 'unknown-config', 'the config "wrong-name"'],
    [{ config: credential }, 'unknown-config', 'the config "•••"'],
    [
      { config: { provider: 'openai', api_key: 'k', custom_host: 'http://10.0.0.1/v1' } },
      'host-not-allowed',
      'the host 10.0.0.1',
    ],
  ];
  for (const [how, cause, about] of rows) {
    const { status, code, headers } = await asked(gateway, {}, { ...key, ...how });
    expect([status, code]).toEqual([errorTable[cause].status, cause]);
    const trace = headers.get('x-gw-trace-id') ?? '';
    expect((await readRecord(gateway, trace)).problem).toMatchObject({ cause, about });
    await vi.waitFor(
      () => expect(gateway.records().find((line) => line.trace === trace)).toMatchObject({ problem: { cause, about } }),
      patience,
    );
    const { out } = await runGw(gateway.folder, ['logs', '--trace', trace]);
    expect(out).toContain(` ${cause} (${about})`);
  }
  expect(gateway.printed()).not.toContain(credential);
});

it('states in records and lines the same remedy as in the answer, and no credential', async () => {
  const gateway = shared();
  await control(gateway, 'POST /configs', {
    body: { name: 'Right name', slug: 'right-name', config: { provider: 'echo' } },
  });
  const rows: readonly (readonly [object, string])[] = [
    [{ config: 'rigth-name' }, 'Did you mean "right-name"?'],
    [
      { provider: '' },
      'Send x-gw-config, x-gw-virtual-key, or x-gw-provider with Authorization, write the model as @main/priced,',
    ],
    [{ provider: '', model: credential }, 'write the model as @main/•••, or set "default_config" in the gateway file.'],
    [{ provider: 'opanai' }, '"openai"'],
    [
      { metadata: { team: ['a'] } },
      'Correct it: it must be a JSON object whose values are strings, numbers or booleans.',
    ],
  ];
  for (const [how, hint] of rows) {
    const { status, headers } = await asked(gateway, {}, { ...key, ...how });
    expect(status).toBeGreaterThanOrEqual(400);
    const trace = headers.get('x-gw-trace-id') ?? '';
    const problem = { hint: expect.stringContaining(hint) };
    expect((await readRecord(gateway, trace)).problem).toMatchObject(problem);
    await vi.waitFor(
      () => expect(gateway.records().find((line) => line.trace === trace)).toMatchObject({ problem }),
      patience,
    );
  }
  const wrong = await asked(gateway, {}, { key: 'nobody' });
  const trace = wrong.headers.get('x-gw-trace-id');
  await vi.waitFor(() => {
    const line = gateway.records().find((each) => each.trace === trace);
    expect(line).toMatchObject({ problem: { hint: expect.stringContaining('in the header x-gw-api-key.') } });
  }, patience);
  expect(gateway.printed()).not.toContain(credential);
});

it('explains in records, lines and tables how to raise or reset a reached limit, without data of the request', async () => {
  const gateway = shared();
  vi.stubEnv('GW_URL', gateway.origin);
  vi.stubEnv('GW_API_KEY', adminKey);
  onTestFinished(() => void vi.unstubAllEnvs());
  const of = (user: string) => ({
    conditions: [{ key: 'metadata._user', value: user }],
    group_by: [{ key: 'metadata._user' }],
  });
  const [budget, daily] = [
    await makePolicy(gateway, 'usage-limits', { name: 'Budget', type: 'tokens', credit_limit: 0, ...of('spender') }),
    await makePolicy(gateway, 'rate-limits', {
      ...{ name: 'Daily', type: 'requests', unit: 'rpd', value: 1 },
      ...of('hasty'),
    }),
  ];
  const { key: spent = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
    body: {
      ...{ name: 'app', scopes: ['completions.write'], workspace_id: 'default' },
      usage_limits: { credit_limit: 1, type: 'tokens' },
    },
  });
  for (const before of [{ ...key, metadata: { _user: 'hasty' } }, { key: spent }])
    expect((await asked(gateway, { input: 1 }, before)).status).toBe(200);
  const rows: readonly (readonly [object, keyof typeof errorTable, readonly string[]])[] = [
    [
      { ...key, metadata: { _user: 'spender' } },
      'usage-exhausted',
      [
        `gw policies usage entities ${budget}`,
        `gw policies usage update ${budget} --limit`,
        `gw policies usage reset ${budget}`,
      ],
    ],
    [
      { ...key, metadata: { _user: 'hasty' } },
      'rate-limited',
      [`gw policies rate update ${daily} --limit`, 'It resets at'],
    ],
    [{ key: spent }, 'usage-exhausted', ['Raise "usage_limits" of the key app itself', 'gw usage shows']],
  ];
  for (const [how, cause, parts] of rows) {
    const { code, headers } = await asked(gateway, {}, { ...key, ...how });
    expect(code).toBe(cause);
    const trace = headers.get('x-gw-trace-id') ?? '';
    const { hint } = Object((await readRecord(gateway, trace)).problem);
    for (const part of parts) expect(hint).toContain(part);
    expect(hint).not.toMatch(/spender|hasty/);
    await vi.waitFor(
      () => expect(gateway.records().find((line) => line.trace === trace)).toMatchObject({ problem: { hint } }),
      patience,
    );
    expect((await runGw(gateway.folder, ['logs', '--trace', trace])).out).toContain(parts[0]);
  }
});
