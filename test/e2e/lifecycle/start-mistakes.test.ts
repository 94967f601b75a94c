import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { cleanEnvironment } from '../../support/commands/clean-environment.ts';
import { type CommandProcess, startCommands } from '../../support/commands/command-process.ts';
import { type CommandResult, runCommand } from '../../support/commands/run-command.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import {
  type GatewayProcess,
  type GatewayStart,
  startGateway,
  writeFolder,
} from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { chatUpstream } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { hasOpenssl, makeAuthority } from '../../support/servers/certificates.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { hasRedis, startRedis } from '../../support/servers/redis-server.ts';
import { workersOf } from '../workers/worker-processes.ts';

const password = 'hunter2-hunter2';

interface Start {
  readonly files?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly port?: number;
  /** Whether it runs in a separate process, as an operator starts it. All others share one. */
  readonly isApart?: boolean;
}

let commands: CommandProcess;
beforeAll(() => {
  commands = startCommands();
});
afterAll(() => commands.stop());

/**
 * Starts `gw serve` in a folder where it cannot start, and checks that it ends by itself, without a stack trace or a secret.
 */
const refused = async ({
  files = {},
  args = [],
  env = {},
  port = 0,
  isApart = false,
}: Start): Promise<CommandResult> => {
  const argv = ['serve', '--port', String(port), ...args];
  const from = { cwd: writeFolder(files, temporaryFolder()), env: { ...cleanEnvironment(), ...env } };
  const ended = await (isApart
    ? runCommand([process.execPath, installedGw, ...argv], from)
    : commands.run({ argv, ...from }));
  expect(ended.status).not.toBe(0);
  expect(ended.stdout).toBe('');
  expect(ended.stderr).not.toMatch(/\n {4}at |node:internal/);
  expect(ended.stderr).not.toContain(password);
  return ended;
};

const file = (settings: object, more: Readonly<Record<string, unknown>> = {}): Start => ({
  files: { 'gateway.json': settings, ...more },
});

const plugin = (source: string): Start => file({ plugins: [{ package: './own.mjs' }] }, { 'own.mjs': source });

describe('gw serve does not start if metrics cannot listen', () => {
  it('on a port that another program uses', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const address = taken.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    for (const args of [[], ['--workers', '2']]) {
      const { stderr } = await refused({ ...file({ metrics: { port } }), args, isApart: true });
      expect(stderr).toContain(
        `gw: Port ${port} of 127.0.0.1 is already in use. Stop the program that uses it, or choose another port for metrics: "metrics.port" in the gateway file\n`,
      );
    }
  });

  it('because the file specifies only their host', async () => {
    const { stderr } = await refused(file({ metrics: { host: '0.0.0.0' } }));
    expect(stderr).toContain('error[host-without-port]: "host" is set without "port"');
  });

  it.each([
    ['127.0.0.1', []],
    ['0.0.0.0', []],
    ['127.0.0.1', ['--workers', '2']],
  ])('on the port of the gateway, on %s, with %j', async (host, args) => {
    const port = await freePort();
    const { stderr } = await refused({ ...file({ metrics: { port, host } }), args, port, isApart: args.length > 0 });
    expect(stderr).toContain(
      `gw: "metrics.port" in the gateway file is ${port}, which is also the gateway's own port. Choose another port`,
    );
  });
});

describe('gw serve does not start, and explains the place, the problem and the remedy', () => {
  it.each<[string, number, Start, RegExp]>([
    [
      'a host that is a URL',
      2,
      { args: ['--host', 'http://127.0.0.1'] },
      /^gw: --host is "http:\/\/127\.0\.0\.1"; it must be an address of this machine, such as 127\.0\.0\.1, without a scheme and a port\. See gw serve --help\.\n$/,
    ],
    ['a host with a port', 2, { env: { HOST: '127.0.0.1:8080' } }, /^gw: HOST is "127\.0\.0\.1:8080"; it must be/],
    [
      'a host in the file',
      2,
      file({ listen: { host: 'a b' } }),
      /^gw: "listen\.host" in the gateway file is "a b"; it/,
    ],
    [
      'a host that does not resolve',
      1,
      { args: ['--host', 'no-such-host.invalid', '--open'] },
      /^gw: The host name no-such-host\.invalid does not resolve\. Choose an address .*--host 127\.0\.0\.1\n$/,
    ],
    [
      'a folder instead of the gateway file',
      1,
      { args: ['--config', '.'] },
      /The gateway file \S+ cannot be read\. It is a folder, not a file\. Name a file/,
    ],
    ['a port in quotes', 1, file({ listen: { port: '8787' } }), /"port" must be a whole number.*= hint: Write 8787/s],
    [
      'YAML with tabs',
      1,
      { files: { 'gateway.yaml': 'listen:\n\tport: 0\n' } },
      /gateway\.yaml:2:1.*= hint: Indent it by spaces\./s,
    ],
    ['a misspelt member', 1, file({ listn: {} }), /gateway\.json:2:3.*= hint: Did you mean "listen"\?/s],
    [
      'a routing config instead of a gateway file',
      1,
      file({ provider: 'echo' }),
      /This is a routing config, not a gateway file\..*= hint: Move it/s,
    ],
    [
      'a missing file of a service key',
      1,
      file({ auth: { keys: [{ id: 'team', key: '${file:/no/such/key}' }] } }),
      /"team" \(\$\{file:\/no\/such\/key\}\)\. Set the variables or files/,
    ],
    [
      'a Redis without a scheme',
      1,
      {
        ...file({ store: { url: 'g.db', limits: { url: '${env:LIMITS}' } } }),
        env: { LIMITS: `:${password}@localhost` },
      },
      /"store\.limits\.url" in the gateway file \(\$\{env:LIMITS\}\) is not the URL of a Redis: it must begin with redis:/,
    ],
    [
      'a store with a name that is too long',
      1,
      { ...file({}), args: ['--store', 'x'.repeat(300)] },
      /^gw: The file \S+x has a name that is too long\. Name another file\.\n$/,
    ],
    [
      'a gateway file with a name that is too long',
      1,
      { args: ['--config', 'x'.repeat(300)] },
      /^gw: The gateway file \S+x cannot be read\. Its name is too long\. Give it a shorter one\.\n$/,
    ],
    ['a store below a file', 1, { ...file({}), args: ['--store', 'gateway.json/g.db'] }, /gateway\.json/],
    [
      'a plugin that is not installed',
      1,
      file({ plugins: [{ package: 'gatewright-plugin-of-nobody' }] }),
      /"gatewright-plugin-of-nobody" was not found\..*= hint: Install it: npm install/s,
    ],
    [
      'a plugin that throws when it is loaded',
      1,
      plugin("throw new Error('no licence');"),
      /"\.\/own\.mjs" failed to load: no licence\..*= hint: Correct the plugin, or remove it/s,
    ],
    [
      'a plugin for another version of the plugin API',
      1,
      plugin("export default { name: 'own', api: 99 };"),
      /requires plugin API 99, but this gateway has API 1\..*= hint: Install a version/s,
    ],
    [
      'a plugin that throws when it is applied',
      1,
      plugin("export default { name: 'own', api: 1, apply() { throw new Error('no licence') } };"),
      /^gw: The plugin "own" failed in apply: no licence\. Correct the plugin, or remove it from the gateway file\.\n$/,
    ],
  ])('for %s', async (_, code, start, text) => {
    const { status, stderr } = await refused(start);
    expect([status, stderr]).toEqual([code, expect.stringMatching(text)]);
  });

  it.skipIf(!hasOpenssl)('for a certificate that comes after that of its authority', async () => {
    const authority = makeAuthority();
    const { cert, key } = authority.issue();
    const { stderr } = await refused(
      file(
        { listen: { tls: { cert: 'tls.crt', key: 'tls.key' } } },
        { 'tls.crt': authority.pem + cert, 'tls.key': key },
      ),
    );
    expect(stderr).toMatch(
      /^gw: The certificate for the private key in \S+tls\.key is not the first one in \S+tls\.crt\. Put/,
    );
  });
});

describe.skipIf(postgresFolder() === undefined)('gw serve on a PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(postgresFolder() ?? '');
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query('create role plain nologin');
    await client.end();
  });
  afterAll(() => server.stop());

  it.each([
    [
      'a database',
      { pathname: '/none' },
      /database "none" does not exist\. Create it \(createdb\), or correct its name/,
    ],
    [
      'a user that may log in',
      { username: 'plain', password },
      /"plain" is not permitted to log in\. Correct the user/,
    ],
  ])('does not start if it does not have %s', async (_, change, text) => {
    const { stderr } = await refused({ args: ['--store', Object.assign(new URL(server.url), change).href] });
    expect(stderr).toMatch(/^gw: The store postgres:\S+ cannot be used: .*\n$/);
    expect(stderr).toMatch(text);
  });

  it.each([
    ['that it has no master key', {}, true],
    ['nothing about a master key that is set', { GW_MASTER_KEY: '8'.repeat(64) }, false],
  ])('starts, and reports %s', async (_, env, isSaid) => {
    const gateway = await startGateway({ args: ['--store', server.url], env, unset: isSaid ? ['GW_MASTER_KEY'] : [] });
    onTestFinished(() => gateway.stop());
    expect(/gw: The store has no master key, .* Set GW_MASTER_KEY/.test(gateway.printed())).toBe(isSaid);
  });
});

describe('a credential that no header can carry', () => {
  const config = { provider: 'openai', api_key: '${env:KEY}', override_params: { model: 'gpt-5.4-mini' } };

  it.each(['sk-1\n', 'sk-\r1', 'sk-1\nsk-2', 'sk-…'])('is an error at the start: %j', async (key) => {
    const start = file({ configs: 'configs', default_config: 'one' }, { 'configs/one.json': config });
    const { stderr } = await refused({ ...start, env: { KEY: key } });
    expect(stderr).toMatch(/configs\/one\.json: The secret \$\{env:KEY\} cannot be sent in a header: .* Copy it again/);
  });

  it('causes a 401 of the gateway while it runs, without a call and without a retry', async () => {
    const upstream = await chatUpstream();
    const folder = writeFolder({ key: 'sk-1' }, temporaryFolder());
    const ref = `\${file:${folder}/key}`;
    const target = { ...config, api_key: ref, custom_host: `${upstream.origin}/v1`, retry: { attempts: 3 } };
    const gateway = await startGateway({
      ...file({ configs: 'configs', default_config: 'one' }, { 'configs/one.json': target }),
      env: { GW_TRUSTED_HOSTS: '127.0.0.1' },
    });
    onTestFinished(() => gateway.stop());
    const ask = () =>
      fetch(`${gateway.origin}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hello!' }] }),
      });
    expect((await ask()).status).toBe(200);
    writeFolder({ key: 'sk-\u2026' }, folder);
    await vi.waitFor(async () => {
      const answer = await ask();
      expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('unsendable-credential')]);
    }, patience);
    const calls = upstream.requests.length;
    await ask();
    expect(upstream.requests).toHaveLength(calls);
  });
});

describe('gw serve starts, and reports', () => {
  const serve = async (options: GatewayStart): Promise<GatewayProcess> => {
    const gateway = await startGateway({ folder: temporaryFolder(), ...options });
    onTestFinished(() => gateway.stop());
    return gateway;
  };
  const providers = (ref: string): object => ({ main: { provider: 'openai', credential: { api_key: ref } } });

  it("a missing file with a provider's key", async () => {
    const gateway = await serve(file({ providers: providers('${file:/no/such/key}') }));
    expect(gateway.printed()).toContain(
      'gateway.json (/providers/main/credential/api_key): The secret ${file:/no/such/key} is missing: the file does not exist, cannot be read, or is empty. Run gw doctor to find out which. Requests that need it are refused until then.\n',
    );
  });

  it('an unknown log, and a trusted host that is no host, without its password', async () => {
    const gateway = await serve({
      ...file({ trusted_hosts: ['models.internal', '*.internal:8000', '[::1]:80'] }),
      env: { GW_LOG: 'request, hooks' },
    });
    expect(gateway.printed()).toContain(
      'gw: GW_LOG names "request", but there is no such log. Use requests, hooks or both.\n',
    );
    expect(gateway.printed()).not.toContain('trusted hosts');
    const listed = await serve({
      env: { GW_TRUSTED_HOSTS: `localhost,http://me:${password}@models.internal:8000/v1` },
    });
    expect(listed.printed()).toContain(
      'gw: "http://…@models.internal:8000/v1" of the trusted hosts is no host, so that it allows none. Write it without',
    );
    expect(listed.printed()).not.toContain(password);
  });

  it('a proxy in the environment that is not used, without its password', async () => {
    const env = { HTTPS_PROXY: `http://me:${password}@proxy.example:3128`, NO_PROXY: '127.0.0.1' };
    const unused = await serve({ env });
    expect(unused.printed()).toMatch(/gw: HTTPS_PROXY: .*connects to providers directly.* Add "proxy": "environment"/);
    const used = await serve({ ...file({ proxy: 'environment' }), env });
    expect(used.printed()).not.toContain('HTTPS_PROXY');
    expect(unused.printed() + used.printed()).not.toContain(password);
  });

  it.skipIf(!hasRedis)('why a Redis rejects its password, and serves without it', async () => {
    const redis = await startRedis('volatile', ['--requirepass', 'the-right-one']);
    onTestFinished(() => redis.stop());
    const upstream = await chatUpstream();
    const gateway = await serve({
      files: {
        'gateway.json': {
          ...{ configs: 'configs', cache: { url: '${env:REDIS}' } },
          store: { url: 'gateway.db', limits: { url: '${env:REDIS}' } },
        },
        'configs/cached.json': {
          ...{ provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/v1` },
          cache: { mode: 'simple' },
        },
      },
      env: {
        ...{ REDIS: redis.url.replace('//', `//:${password}@`), KEY: 'sk-of-this-test' },
        ...{ GW_ADMIN_KEY: 'the-admin-key-of-this-test-with-40-chars' },
      },
    });
    await vi.waitFor(async () => {
      // On a busy machine, the gateway may listen before Redis has answered.
      expect(gateway.printed()).toContain(
        'gw: The Redis of the limits cannot be used (WRONGPASS: it refuses the password). Write the user and the password of the gateway into the URL',
      );
      const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'x-gw-config': 'cached' },
          'x-gw-api-key': 'the-admin-key-of-this-test-with-40-chars',
        },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello?' }] }),
      });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Hello!')]);
      expect(gateway.printed()).toMatch(
        /The cache "simple" does not work, so requests are served without it: .*WRONGPASS.* Check "cache\.url"/,
      );
    }, patience);
    expect(gateway.printed()).not.toContain(password);
  });
});

/** Runs a program as the first process of a container. */
const asFirst = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child'];
const canBeFirst = spawnSync('unshare', [...asFirst.slice(1), 'true']).status === 0;

it.skipIf(!canBeFirst)(
  'SIGTERM ends a gateway that is still starting, even as the first process of a container',
  async () => {
    const folder = temporaryFolder({
      'gateway.json': { plugins: [{ package: './waiting.mjs' }] },
      'waiting.mjs': `console.log('It waits.'); await new Promise(() => setInterval(() => {}, 1000));`,
    });
    const [program = '', ...args] = [...asFirst, process.execPath, installedGw, 'serve', '--port', '0'];
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    for (const pid of workersOf({ pid: child.pid ?? 0 })) process.kill(pid, 'SIGTERM');
    expect(await exited).toEqual([143, null]);
  },
);
