import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commandTree } from '../../gw/commands.ts';
import type { CommandTree } from '../../schema/command-help/command-spec.ts';
import { cleanEnvironment } from '../support/commands/clean-environment.ts';
import { type CommandResult, runCommand } from '../support/commands/run-command.ts';
import { type GwRun, runGw } from '../support/commands/run-gw.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../support/servers/upstream-server.ts';

const program = path.join(import.meta.dirname, '../../gw.js');
const admin = 'the-admin-key-of-this-test-with-40-chars';

interface Found {
  readonly at: string;
  readonly examples: readonly string[];
}

const toFound = (at: string, { spec, commands = {} }: CommandTree): readonly Found[] => [
  ...(spec === undefined ? [] : [{ at, examples: spec.examples ?? [] }]),
  ...Object.entries(commands).flatMap(([word, tree]) => toFound(`${at} ${word}`, tree)),
];

const found = toFound('gw', await commandTree());

/** Commands that call a gateway's control plane. The second block runs them. */
const ofStores =
  /^gw (?:applies|apply|export|configs|guardrails|integrations|keys|logs|organisation|policies|prompts|usage|virtual-keys|virtual-models|workspaces|backup|providers (?!kinds))/;

it.each(found)('$at has an example in its help', async ({ at, examples }) => {
  expect(examples.length).toBeGreaterThan(0);
  const { code, out } = await runGw(temporaryFolder(), [...at.split(' ').slice(1), '--help']);
  expect(code).toBe(0);
  for (const line of at === 'gw' || at === 'gw logs' ? [] : examples) {
    expect(line).toMatch(new RegExp(`^${at}(?: |$)`));
    expect(out.split('\n')).toContain(`  ${line}`);
  }
});

const shell = (cwd: string, line: string, env: NodeJS.ProcessEnv = {}): Promise<CommandResult> =>
  runCommand(['bash', '-c', `gw() { "${process.execPath}" "${program}" "$@"; }; ${line}`], {
    cwd,
    env: { ...cleanEnvironment(), ...env },
  });

const request = (status: number): string =>
  JSON.stringify({
    event: 'request',
    config: 'prod',
    method: 'POST',
    path: '/v1/chat/completions',
    status,
    seed: 1,
    trail: [],
  });

describe('the examples of commands without a store', () => {
  let receiver: Server;
  let cwd: string;
  let removeFolder: () => void;

  beforeAll(async () => {
    receiver = createServer((_, answer) => answer.end(JSON.stringify({ object: 'list', data: [{ id: 'gpt-4o' }] })));
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', () => resolve()));
    const { port } = receiver.address() as AddressInfo;
    const prod = {
      strategy: { mode: 'fallback' },
      targets: [
        { name: 'fast', provider: '@openai' },
        { name: 'slow', provider: 'echo' },
      ],
    };
    const files = {
      'gateway.json': {
        configs: 'configs',
        alerts: { to: [{ webhook: `http://127.0.0.1:${port}/hook` }] },
        providers: {
          openai: {
            provider: 'openai',
            credential: { api_key: '${env:OPENAI_API_KEY}' },
            settings: { custom_host: `http://127.0.0.1:${port}/v1` },
          },
        },
        trusted_hosts: [`127.0.0.1:${port}`],
      },
      'configs/prod.json': prod,
      'configs/prod.route.yaml': 'config: prod.json\ntests:\n  - name: answers\n    expect: { status: 200 }\n',
      'acme.mjs': 'export default { name: "acme", api: 1 };',
      'request.json': { path: '/v1/chat/completions', body: { model: 'gpt-4o', messages: [] } },
      'requests.log': `${request(200)}\n`,
      'failures.json': [{ target: 'fast', from_s: 60, to_s: 120, status: 503 }],
      'prod.json': prod,
      'test.json': prod,
      'config.yaml':
        'model_list:\n  - model_name: gpt-4o\n    litellm_params: { model: openai/gpt-4o, api_key: os.environ/OPENAI_API_KEY }\n',
    };
    cwd = temporaryFolder(files, (remove) => {
      removeFolder = remove;
    });
    const git = 'git init -q -b main . && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm first';
    expect(await shell(cwd, git)).toMatchObject({ status: 0 });
  });
  afterAll(() => {
    receiver.close();
    removeFolder();
  });

  /** Exit codes other than 0 with which an example may end here. */
  const codes: Readonly<Record<string, readonly number[]>> = {
    // Nothing, or something other than a gateway, listens at the default port. No client ends the language server in its
    // protocol.
    'gw health --url http://127.0.0.1:8787': [0, 1],
    'gw lsp --stdio': [1],
    // The result depends on the environment in which the tests run.
    'gw doctor --offline': [0, 1],
  };

  /** Lines that need a shell, and commands that communicate through standard input. */
  const needsProcess = / > |^gw lsp/;

  const inProcess = async (line: string): Promise<CommandResult> => {
    const { code, out, err } = await runGw(cwd, line.split(' ').slice(1));
    return { status: code, stdout: out, stderr: err };
  };

  const lines = found.filter(({ at }) => !ofStores.test(at)).flatMap(({ examples }) => examples);

  it.each(lines.filter((line) => !line.startsWith('gw serve')))('%s', async (line) => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-12345');
    const { status, stdout, stderr } = await (needsProcess.test(line) ? shell(cwd, line) : inProcess(line));
    vi.unstubAllEnvs();
    expect({ codes: codes[line] ?? [0], stdout, stderr, status }).toSatisfy(
      (ended: { readonly codes: readonly number[]; readonly status: number }) => ended.codes.includes(ended.status),
    );
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('gw serve, until it is stopped', async () => {
    const [line = ''] = lines.filter((each) => each.startsWith('gw serve'));
    const own = line.replace(/^gw /, `exec "${process.execPath}" "${program}" `);
    const script = `(${own}) > out 2>&1 & for i in $(seq 300); do grep -q 'http://' out && break; sleep 0.1; done; kill -TERM $!; sleep 0.2; kill -TERM $!; wait $!; cat out`;
    const { stdout } = await shell(cwd, script, { OPENAI_API_KEY: 'sk-12345' });
    expect(stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
  });
});

describe('the examples of commands that call a gateway with a store', () => {
  let gateway: GatewayProcess;
  let upstream: TestUpstream;

  beforeAll(async () => {
    upstream = await startUpstream((call) => call.json({ object: 'list', data: [{ id: 'gpt-4o' }] }));
    gateway = await startGateway({
      files: {
        'support.json': { provider: 'echo', override_params: { model: 'm' } },
        'greet.json': {
          name: 'Greet',
          string: JSON.stringify([{ role: 'user', content: 'Hello {{name}}' }]),
          parameters: {},
          virtual_key: '@echo',
          model: 'm',
        },
        'bye.mustache': 'Bye, {{name}}!',
        'no-cities.json': { checks: [{ id: 'default.contains', parameters: { words: ['Oslo'], operator: 'none' } }] },
        'policy.json': { conditions: [{ key: 'model', value: '@shop/*' }], group_by: [{ key: 'metadata._user' }] },
        'models.json': [{ slug: 'gpt-4o', enabled: true }],
        'records.json': { records: {} },
        'record.json': {
          request: { url: 'https://api.example.com/v1/chat/completions', body: { model: 'm', messages: [] } },
          response: { status: 200, body: {} },
          metadata: { traceId: 't-1' },
        },
        'store/gatewright.json': { name: 'acme' },
        'store/workspaces/default/configs/plain.json': { config: { provider: 'echo' } },
      },
      args: ['--store', 'gateway.db'],
      env: { GW_ADMIN_KEY: admin },
    });
    vi.stubEnv('GW_URL', gateway.origin);
    vi.stubEnv('GW_API_KEY', admin);
    vi.stubEnv('OPENAI_API_KEY', 'sk-of-the-shop-12345');
    await runGw(gateway.folder, 'providers create --name Echo --slug echo --provider echo'.split(' '));
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await gateway.stop();
    await upstream.close();
  });

  /** Points the saved records at a provider on this machine, for the commands that test them. */
  const useUpstream = async (): Promise<void> => {
    const headers = { 'x-gw-api-key': admin, 'content-type': 'application/json' };
    const body = JSON.stringify({
      settings: { custom_host: `${upstream.origin}/v1` },
      credential: { api_key: 'sk-1' },
    });
    for (const path of ['providers/main', 'virtual-keys/vk'])
      expect((await fetch(`${gateway.baseUrl}/${path}`, { method: 'PUT', headers, body })).status).toBe(200);
  };

  const run = (line: string, names: Readonly<Record<string, string>> = {}): Promise<GwRun> =>
    runGw(
      gateway.folder,
      line
        .split(' ')
        .slice(1)
        .map((word) => word.replace(/^\$(\w+)$/, (_, name: string) => names[name] ?? '')),
    );

  /** The order in which commands run: those that create what later ones name come first. */
  const rank = (at: string): number => {
    const verb = at.split(' ').at(-1) ?? '';
    if (/^gw (?:keys rotate-master|export)$/.test(at)) return 6;
    if (at === 'gw logs feedback create') return 3;
    if (at === 'gw logs feedback update') return 4;
    if (verb === 'create' || verb === 'send') return at === 'gw virtual-models create' ? 1 : 0;
    if (verb === 'update') return 1;
    if (verb === 'rotate') return 4;
    if (verb === 'delete' || verb === 'revoke') return at === 'gw virtual-models delete' ? 7 : 8;
    return at === 'gw prompts run' ? 1 : 2;
  };

  const idOf = async (at: string, made: Readonly<Record<string, string>>): Promise<string> => {
    const group = at.split(' ').slice(0, -1).join(' ');
    if (made[group] !== undefined) return made[group];
    const { out } = await run(`${group} list --format json`);
    return JSON.parse(out).data[0]?.id ?? '';
  };

  it('all succeed', { timeout: 120_000 }, async () => {
    const all = found.filter(({ at }) => ofStores.test(at)).toSorted((a, b) => rank(a.at) - rank(b.at));
    expect(all.length).toBeGreaterThan(90);
    const made: Record<string, string> = {};
    const wrong: unknown[] = [];
    const [firstTrial] = all.filter(({ at }) => at.endsWith(' test'));
    for (const { at, examples } of all) {
      if (at === firstTrial?.at) await useUpstream();
      for (const line of examples) {
        const id = line.includes('$ID') ? await idOf(at, made) : '';
        const { code, out, err } = await run(line, { ID: id, ENTITY: id, TRACE: 't-1' });
        if (code !== 0) wrong.push({ line, code, out, err });
        const [, own] = /\((\S+)\)|policy (\S+) was created|saved: (\S+)/.exec(`${out}${err}`)?.filter(Boolean) ?? [];
        if (at.endsWith(' create') && own !== undefined) made[at.split(' ').slice(0, -1).join(' ')] = own;
      }
    }
    expect(upstream.requests.map(({ path: asked }) => asked)).toEqual(['/v1/models', '/v1/models']);
    expect(wrong).toEqual([]);
    expect(readFileSync(path.join(gateway.folder, 'copy.db')).length).toBeGreaterThan(0);
  });
});
