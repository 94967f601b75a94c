import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { control, serveStore } from '../../support/gateways/stored-gateway.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { countAudits, gwFor, readFiles, readKeys, writeFiles } from './support.ts';

const secrets = {
  FIRST_SECRET: 'sk-first-secret-of-this-test',
  SECOND_SECRET: 'sk-second-secret-of-this-test',
  THIRD_SECRET: 'sk-third-secret-of-this-test',
  TARGET_SECRET: 'sk-target-secret-of-this-test',
};

const messages = (content: string): string => JSON.stringify([{ role: 'user', content }]);

/** A folder with something of each kind. All of its providers use one upstream. */
const toFolder = ({ origin }: TestUpstream): Readonly<Record<string, unknown>> => {
  const settings = { custom_host: `${origin}/v1` };
  const at = 'workspaces/research';
  return {
    'gatewright.json': { name: 'acme' },
    'README.md': 'For people.',
    'organisation/integrations/shared.json': {
      ...{ provider: 'openai', settings, credential: { api_key: '${env:FIRST_SECRET}' }, workspaces: ['research'] },
      models: [{ slug: 'm', enabled: true }],
      allow_all_models: true,
    },
    'organisation/guardrails/no-oslo.json': {
      checks: [{ id: 'default.contains', parameters: { words: ['Oslo'], operator: 'none' } }],
      actions: { deny: true },
    },
    'organisation/keys/ops.json': { name: 'Ops', scopes: ['completions.write'] },
    'workspaces/research.json': {
      ...{ name: 'Research', settings: { config: 'fast', input_guardrails: ['no-oslo'], metadata: { team: 'r' } } },
      usage_limits: { credit_limit: 1000, type: 'cost', periodic_reset: 'monthly' },
    },
    [`${at}/providers/main.json`]: { integration_id: 'shared', note: 'The one of all.' },
    [`${at}/providers/pool.json`]: {
      ...{ provider: 'openai', settings },
      keys: [{ api_key: '${env:SECOND_SECRET}' }, { api_key: '${env:THIRD_SECRET}', weight: 0 }],
    },
    [`${at}/virtual-keys/vk.json`]: {
      ...{ provider: 'openai', settings, credential: { api_key: '${env:THIRD_SECRET}' } },
    },
    [`${at}/guardrails/no-rome.json`]: {
      checks: [{ id: 'default.contains', parameters: { words: ['Rome'], operator: 'none' } }],
      actions: { deny: true },
    },
    [`${at}/labels/production.json`]: { name: 'production', colour: '#00ff00' },
    [`${at}/collections/support.json`]: { name: 'Support' },
    [`${at}/partials/bye.json`]: { string: 'Bye, {{name}}!' },
    [`${at}/partials/outer.json`]: { string: '{{>bye}}' },
    [`${at}/prompts/greet.json`]: {
      ...{ string: messages('Hello {{name}}. {{>outer}}'), parameters: {}, virtual_key: '@main', model: 'm' },
      ...{ collection_id: 'support', labels: ['production'] },
    },
    [`${at}/configs/fast.json`]: {
      name: 'Fast',
      config: { provider: '@main', override_params: { model: 'fast-model' } },
    },
    [`${at}/configs/careful.json`]: {
      config: {
        strategy: { mode: 'fallback' },
        targets: [
          {
            provider: 'openai',
            api_key: '${env:TARGET_SECRET}',
            custom_host: `${origin}/v1`,
            override_params: { model: 'own' },
          },
          { provider: '@pool', override_params: { model: 'pool-model' } },
        ],
        input_guardrails: ['no-rome'],
      },
    },
    [`${at}/virtual-models/smart.json`]: { name: 'acme/smart', target: 'config:fast' },
    [`${at}/virtual-models/plain.json`]: { name: 'plain', target: '@pool/m2' },
    [`${at}/keys/app.json`]: {
      ...{ name: 'App', scopes: ['completions.write', 'prompts.render', 'prompts.read'] },
      defaults: { metadata: { app: 'a' }, config_id: 'careful' },
    },
    [`${at}/keys/limited.json`]: { name: 'Limited', scopes: ['completions.write'] },
    [`${at}/usage-limits/budget.json`]: {
      ...{ name: 'Budget', type: 'cost', credit_limit: 100, periodic_reset: 'monthly' },
      ...{ conditions: [{ key: 'metadata._user', value: '*' }], group_by: [{ key: 'metadata._user' }] },
    },
    [`${at}/rate-limits/none.json`]: {
      ...{ name: 'None', type: 'requests', unit: 'rpd', value: 0 },
      ...{
        conditions: [
          { key: 'api_key', value: ['limited', 'organisation/ops'] },
          { key: 'workspace_id', value: 'research' },
        ],
      },
      group_by: [{ key: 'api_key' }],
    },
  };
};

/** The outcome of a request: its status, and the keys and models that the upstream received. */
interface Outcome {
  readonly status: number;
  readonly calls: readonly (readonly [credential: string, model: unknown, text: unknown])[];
}

/** Sends the same requests with the keys of the same names. */
const sendAll = async (
  { baseUrl }: GatewayProcess,
  upstream: TestUpstream,
  keys: Readonly<Record<string, string>>,
): Promise<readonly Outcome[]> => {
  const app = keys['workspaces/research/keys/app'] ?? '';
  const limited = keys['workspaces/research/keys/limited'] ?? '';
  const ops = keys['organisation/keys/ops'] ?? '';
  const send = async (key: string, route: string, body: object, headers: object = {}): Promise<Outcome> => {
    const before = upstream.requests.length;
    const answer = await fetch(`${baseUrl}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-api-key': key, ...headers },
      body: JSON.stringify(body),
    });
    await answer.text();
    const calls = upstream.requests.slice(before).map((sent): Outcome['calls'][number] => {
      const { model, messages: said } = sent.json();
      return [sent.header('authorization') ?? '', model, said?.at(-1)?.content];
    });
    return { status: answer.status, calls };
  };
  const hello = (content = 'Hello?') => ({ messages: [{ role: 'user', content }] });
  return [
    await send(app, '/chat/completions', { model: 'x', ...hello() }),
    await send(app, '/chat/completions', { model: 'x', ...hello() }, { 'x-gw-config': 'fast' }),
    await send(app, '/chat/completions', { model: 'x', ...hello('Rome') }),
    await send(app, '/chat/completions', { model: 'x', ...hello('Oslo') }, { 'x-gw-config': 'fast' }),
    await send(app, '/chat/completions', { model: 'acme/smart', ...hello() }),
    await send(app, '/chat/completions', { model: 'plain', ...hello() }),
    await send(app, '/chat/completions', { model: 'x', ...hello() }, { 'x-gw-virtual-key': 'vk' }),
    await send(app, '/prompts/greet/completions', { variables: { name: 'Ada' } }),
    await send(app, '/prompts/greet@production/completions', { variables: { name: 'Eve' } }),
    await send(limited, '/chat/completions', { model: 'x', ...hello() }),
    await send(ops, '/chat/completions', { model: 'x', ...hello() }, { 'x-gw-workspace': 'research' }),
  ];
};

type Database = 'SQLite' | 'PostgreSQL';

const openStore: Readonly<Record<Database, () => Promise<string>>> = {
  SQLite: async () => 'gateway.db',
  PostgreSQL: async () => {
    const server = await startPostgres(postgresFolder() ?? '');
    onTestFinished(() => server.stop());
    return server.url;
  },
};

/** The databases between which the folder moves. Each day tests one pair. */
const ways: readonly (readonly [from: Database, to: Database])[] =
  postgresFolder() === undefined
    ? [['SQLite', 'SQLite']]
    : (
        [
          ['SQLite', 'SQLite'],
          ['SQLite', 'PostgreSQL'],
          ['PostgreSQL', 'SQLite'],
          ['PostgreSQL', 'PostgreSQL'],
        ] as const
      ).filter((_, at) => isSampled(at, 0, 4));

/** The policy of the folder groups by a label that requests may lack. Nothing else is printed. */
const onlyWarning = /^warning\[optional-label\]: (?:[^\n]+\n)+\n$/;

describe.each(ways)('a folder that is applied to a store in %s, exported, and applied to one in %s', (from, to) => {
  afterEach(() => vi.unstubAllEnvs());

  it('changes nothing on the second run, and gives both stores the same behaviour', {
    timeout: 300_000,
  }, async () => {
    for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
    const upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
    onTestFinished(() => upstream.close());
    const cwd = temporaryFolder();
    writeFiles(toFolder(upstream), path.join(cwd, 'first'));

    const one = await serveStore(await openStore[from]());
    const gw = (line: string) => gwFor(one, cwd, line.split(' '));
    const planned = await gw('apply first --dry-run');
    expect(planned).toMatchObject({ code: 0, err: '' });
    expect(await countAudits(one)).toBe(0);
    expect(planned.out).toContain('workspaces/research/configs/fast: create');

    const applied = await gw('apply first --keys-file keys');
    expect(applied).toMatchObject({ code: 0, err: expect.stringMatching(onlyWarning) });
    for (const secret of Object.values(secrets)) expect(planned.out + applied.out).not.toContain(secret);
    const audits = await countAudits(one);
    expect(await gw('apply first --detailed-exitcode')).toEqual({ code: 0, out: 'There is nothing to do.\n', err: '' });
    expect(await countAudits(one)).toBe(audits);
    expect(await control(one, 'GET /configs/careful/versions', { workspace: 'research' })).toMatchObject({ total: 1 });

    const outcomes = await sendAll(one, upstream, readKeys(path.join(cwd, 'keys')));
    expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 446, 446, 200, 200, 200, 200, 200, 429, 429]);

    const exported = await gw('export copy --name acme');
    expect(exported).toMatchObject({ code: 0, err: '' });
    const files = readFiles(path.join(cwd, 'copy'));
    for (const secret of Object.values(secrets)) expect(JSON.stringify(files)).not.toContain(secret);
    expect(JSON.stringify(files)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    const variables = exported.out.match(/^ {2}\w+$/gm)?.map((line) => line.trim()) ?? [];
    expect(variables).toEqual([
      'SHARED_API_KEY',
      'CAREFUL_TARGETS_0_API_KEY',
      'POOL_KEYS_0_API_KEY',
      'POOL_KEYS_1_API_KEY',
      'VK_API_KEY',
    ]);

    const other = await serveStore(await openStore[to]());
    const missing = await gwFor(other, cwd, ['apply', 'copy', '--keys-file', 'new-keys']);
    expect(missing.code).toBe(1);
    for (const name of variables) expect(missing.err).toContain(`The variable ${name} is not set.`);
    const { FIRST_SECRET, SECOND_SECRET, THIRD_SECRET, TARGET_SECRET } = secrets;
    const values = [FIRST_SECRET, TARGET_SECRET, SECOND_SECRET, THIRD_SECRET, THIRD_SECRET];
    for (const [at, name] of variables.entries()) vi.stubEnv(name, values[at] ?? '');
    const again = await gwFor(other, cwd, ['apply', 'copy', '--keys-file', 'new-keys']);
    expect(again).toMatchObject({ code: 0, err: expect.stringMatching(onlyWarning) });
    expect(await sendAll(other, upstream, readKeys(path.join(cwd, 'new-keys')))).toEqual(outcomes);
    expect(await gwFor(other, cwd, ['export', 'second', '--name', 'acme'])).toMatchObject({ code: 0, err: '' });
    expect(readFiles(path.join(cwd, 'second'))).toEqual(files);
    expect(await gwFor(other, cwd, ['apply', 'second'])).toMatchObject({ code: 0, out: 'There is nothing to do.\n' });
  });
});
