import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { withDefaultHooks } from '../../../compiler/with-default-hooks.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { serve } from '../../../runtime/cli/serve.ts';
import type { ServeServices, ServeSignal } from '../../../runtime/cli/services/serve-services.ts';
import { nothingSaved, type Saved } from '../../../schema/config/saved.ts';
import { rawClient } from '../server/support/raw-client.ts';

interface Served {
  readonly code: Promise<number>;
  /** Resolves once the gateway listens. */
  readonly origin: Promise<string>;
  readonly out: () => string;
  readonly err: () => string;
  readonly signal: (signal: ServeSignal) => void;
  readonly exits: readonly number[];
  readonly compiled: () => number;
}

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gw-serve-'));
});
afterEach(() => rm(folder, { recursive: true }));

const catalogue = buildCatalogue(builtinPlugins);

const run = (
  argv: readonly string[],
  env: Record<string, string> = {},
  file?: object,
  saved: Saved = nothingSaved,
  flushed: () => Promise<void> = async () => {},
): Served => {
  let out = '';
  let err = '';
  let compilers = 0;
  const exits: number[] = [];
  const listeners = new Set<(signal: ServeSignal) => void>();
  let listening = (_origin: string): void => {};
  const origin = new Promise<string>((resolve) => {
    listening = resolve;
  });
  const look = (text: string): void => {
    const [, found] = /listens on (http:[^\s,]+)/.exec(text) ?? [];
    if (found !== undefined) listening(found);
  };
  const services: ServeServices = {
    io: {
      cwd: folder,
      env,
      isTerminal: true,
      stdout: (text) => {
        out += text;
        look(text);
      },
      stderr: (text) => {
        err += text;
        look(text);
      },
      flushed,
      readFile: async (name) =>
        file === undefined || !name.endsWith('gateway.json') ? undefined : JSON.stringify(file),
      onSignal: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      exit: (code) => exits.push(code),
    },
    environment: async () => ({
      settings: file ?? {},
      plugins: builtinPlugins,
      pluginFiles: async () => [],
      isolated: [],
      saved,
      diagnostics: [],
    }),
    compiler: async () => {
      compilers += 1;
      return {
        compileOperator: (text, at) => compile(text, { trust: 'operator', catalogue, file: at }),
        compileCaller: (text) => compile(text, { trust: 'caller', catalogue, saved }),
        withDefaultHooks: (plan, defaults) => withDefaultHooks(plan, defaults, catalogue),
        compileSaved: (text, how) => compile(text, { trust: 'saved', catalogue, ...how }),
        callerCompiler: (own) => (text) => compile(text, { trust: 'caller', catalogue, saved: own }),
      };
    },
    control: () => expect.unreachable(),
    alerts: () => Promise.reject(new Error('No test of these has alerts.')),
    workerAlerts: () => Promise.reject(new Error('No test of these has alerts.')),
    overload: () => Promise.reject(new Error('No test of these protects against overload.')),
    workers: () => expect.unreachable(),
    metrics: () => expect.unreachable(),
    telemetry: () => expect.unreachable(),
    render: async (diagnostics, { file: at }) => diagnostics.map(({ code }) => `${at}: ${code}\n`).join(''),
  };
  const code = serve(services, argv);
  const signal = (name: ServeSignal): void => {
    for (const listener of [...listeners]) listener(name);
  };
  return { code, origin, out: () => out, err: () => err, signal, exits, compiled: () => compilers };
};

const echo = (origin: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"model":"echo","messages":[{"role":"user","content":"Hello!"}]}',
  });

const configs = async (files: Record<string, string>): Promise<void> => {
  await mkdir(join(folder, 'configs'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'configs', name), text);
};

describe('gw serve', () => {
  it('prints its address and a curl line that works as pasted, and loads no compiler for it', async () => {
    const served = run(['--port', '0']);
    const origin = await served.origin;
    const [, url, headers, body] = /curl (\S+) ((?:-H '[^']+' )+)-d '([^']+)'/.exec(served.out()) ?? [];
    expect(url).toBe(`${origin}/v1/chat/completions`);
    const pairs = [...(headers ?? '').matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value]);
    const answer = await fetch(url ?? '', { method: 'POST', headers: Object.fromEntries(pairs), body: body ?? '' });
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'Hello!' } }] });
    expect(served.compiled()).toBe(0);
    served.signal('SIGTERM');
    expect(await served.code).toBe(0);
  });

  it.each([
    ['a model of the gateway file', { models: { fast: 'config:main' } }, 'fast'],
    ['the default config, which sets the model', { default_config: 'main' }, 'any'],
  ])('prints a curl line for %s', async (_what, file, model) => {
    await configs({ 'main.json': '{"provider":"echo","override_params":{"model":"own"}}' });
    const served = run(['--port', '0'], {}, { configs: 'configs', ...file });
    await served.origin;
    const [, url = '', body = ''] =
      /curl (\S+) -H 'content-type: application\/json' -d '([^']+)'/.exec(served.out()) ?? [];
    expect(JSON.parse(body)).toMatchObject({ model });
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(await answer.json()).toMatchObject({ model: 'own', choices: [{ message: { content: 'Hello!' } }] });
    served.signal('SIGTERM');
    await served.code;
  });

  it('prints a curl line with a placeholder if the default config leaves the model to the request', async () => {
    await configs({ 'main.json': '{"provider":"openai","api_key":"${env:KEY}"}' });
    const served = run(['--port', '0'], { KEY: 'a' }, { configs: 'configs', default_config: 'main' });
    await served.origin;
    expect(served.out()).toContain('{"model":"MODEL",');
    expect(served.out()).not.toContain('echo');
    served.signal('SIGTERM');
    await served.code;
  });

  it('loads the compiler once, for the first config of a caller', async () => {
    const served = run(['--port', '0']);
    const origin = await served.origin;
    const answers = await Promise.all([1, 2].map(() => echo(origin, { 'x-gw-config': '{"provider":"echo"}' })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(served.compiled()).toBe(1);
    served.signal('SIGINT');
    expect(await served.code).toBe(0);
  });

  it('names the header if a saved provider or a virtual key does not exist', async () => {
    const served = run(['--port', '0']);
    const origin = await served.origin;
    for (const [header, value] of [
      ['x-gw-virtual-key', 'nobody'],
      ['x-gw-provider', '@nobody'],
    ] as const) {
      expect(await (await echo(origin, { [header]: value })).json()).toMatchObject({
        error: { code: 'invalid-header', message: expect.stringContaining(header) },
      });
    }
    served.signal('SIGTERM');
    await served.code;
  });

  it('serves the saved configs, and the default to callers that name none', async () => {
    await configs({ 'main.json': '{"provider":"echo"}', 'other.jsonc': '{"provider":"echo", /* it is */ }' });
    const served = run(['--port', '0'], {}, { configs: 'configs', default_config: 'main' });
    const origin = await served.origin;
    expect(served.out()).toContain('Plans: main, other\n');
    expect((await echo(origin)).headers.get('x-gw-plan')).toMatch(/^main@/);
    expect((await echo(origin, { 'x-gw-config': 'other' })).headers.get('x-gw-plan')).toMatch(/^other@/);
    served.signal('SIGTERM');
    await served.code;
  });

  it('reads the plans again on SIGHUP, keeps the last good one, and reports it', async () => {
    await configs({ 'main.json': '{"provider":"echo"}' });
    const served = run(['--port', '0'], {}, { configs: 'configs', default_config: 'main' });
    const origin = await served.origin;
    const label = (await echo(origin)).headers.get('x-gw-plan');
    await configs({ 'main.json': '{"provider":"ecko"}' });
    served.signal('SIGHUP');
    await expect.poll(() => served.err()).toContain('main.json: unknown-provider');
    const response = await echo(origin);
    expect([response.status, response.headers.get('x-gw-plan')]).toEqual([200, label]);
    const ready = await (await fetch(`${origin}/readyz`)).json();
    expect(ready).toMatchObject({
      status: 'degraded',
      refused: [{ file: 'main.json', reason: expect.stringContaining('unknown-provider at 1:13') }],
    });
    served.signal('SIGTERM');
    await served.code;
  });

  it('writes a line for each request if GW_LOG requests it, and nothing else to stdout', async () => {
    const served = run(['--port', '0'], { GW_LOG: 'requests' });
    const origin = await served.origin;
    await (
      await echo(origin, { 'x-gw-provider': 'echo', 'x-gw-trace-id': 't-1', authorization: 'Bearer sk-secret' })
    ).text();
    await expect.poll(() => served.out()).toContain('\n');
    expect(JSON.parse(served.out())).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      trace: 't-1',
      seed: expect.any(Number),
      plan: expect.stringMatching(/^request@/),
      route: 'POST /v1/chat/completions',
      status: 200,
      end: 'complete',
      ms: expect.any(Number),
      trail: [{ kind: 'attempted', path: '', target: 'request', attempt: 1, status: 200, origin: 'upstream' }],
    });
    served.signal('SIGTERM');
    await served.code;
  });

  it('exits at once on the second signal', async () => {
    const served = run(['--port', '0']);
    const origin = await served.origin;
    // Half a request delays the drain. A whole one that is sent after it shows that it has arrived.
    using half = await rawClient(Number(new URL(origin).port));
    half.send('GET /livez HTTP/1.1\r\n');
    await fetch(`${origin}/livez`);
    served.signal('SIGTERM');
    served.signal('SIGTERM');
    expect(served.exits).toEqual([1]);
    await served.code;
  });

  it('exits at once on the second signal while it closes after the drain', async () => {
    const served = run(['--port', '0'], {}, undefined, nothingSaved, async () => served.signal('SIGTERM'));
    await served.origin;
    served.signal('SIGTERM');
    await served.code;
    expect(served.exits).toEqual([1]);
  });

  it.each([
    [
      ['--drain-ms', '100', '--drain-delay-ms', '5000'],
      {},
      /^gw: --drain-delay-ms is 5000 ms, but the gateway drains for only 100 ms/m,
    ],
    [[], { limits: { drain_ms: 10, drain_delay_ms: 20 } }, /^gw: "limits\.drain_delay_ms" is 20 ms, but .* 10 ms/m],
    [['--drain-ms', '100'], {}, undefined],
  ])('warns once if the delay of the drain is longer than the drain: %j', async (args, file, said) => {
    const served = run(['--port', '0', ...args], {}, file);
    await served.origin;
    served.signal('SIGTERM');
    await served.code;
    if (said === undefined) expect(served.err()).not.toContain('drains for only');
    else expect(served.err()).toMatch(said);
  });

  it('takes its address from the command line, or else the environment, or else the gateway file', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => free.once('listening', resolve));
    const address = free.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await new Promise((resolve) => free.close(resolve));
    for (const start of [
      () => run(['--port', String(port), '--host', '127.0.0.1'], { PORT: '1' }, { listen: { port: 2 } }),
      () => run([], { PORT: String(port) }, { listen: { port: 2 } }),
      () => run([], {}, { listen: { port, host: '127.0.0.1' } }),
    ]) {
      const served = start();
      expect(await served.origin).toBe(`http://127.0.0.1:${port}`);
      served.signal('SIGTERM');
      expect(await served.code).toBe(0);
    }
  });

  it('explains what to do if its port is taken', async () => {
    const first = run(['--port', '0']);
    const { port } = new URL(await first.origin);
    const second = run(['--port', port]);
    expect(await second.code).toBe(1);
    expect(second.err()).toMatch(
      /^gw: Port \d+ of 127.0.0.1 is already in use\. Stop .* keeps its port for its --drain-delay-ms.*--port \d+\n$/,
    );
    first.signal('SIGTERM');
    await first.code;
  });

  it.each([
    [['--prot', '1'], 'There is no flag --prot. Did you mean --port?'],
    [['--port', '99999'], '--port is "99999"; it must be a whole number from 0 to 65535.'],
    [['--workers', '0'], '--workers is "0"; it must be a whole number from 1 to 256, or auto.'],
    [['--workers', '257'], '--workers is "257"; it must be a whole number from 1 to 256, or auto.'],
    [['--workers', 'al'], '--workers is "al"; it must be a whole number from 1 to 256, or auto.'],
    [['extra'], "gw serve takes only flags, and 'extra' is not a flag."],
    [['--port', '-1'], '--port is "-1"; it must be a whole number from 0 to 65535.'],
    [['--workers', '-3'], '--workers is "-3"; it must be a whole number from 1 to 256, or auto.'],
    [['--drain-ms', '-1'], '--drain-ms is "-1"; it must be a whole number from 0 to 2147483647.'],
    [['--drain-delay-ms', '-1', '--open'], '--drain-delay-ms is "-1"; it must be a whole number from 0 to 2147483647.'],
    [['--port', '--open'], 'The flag --port needs a value.'],
    [['--open', '-1'], 'The flag --open takes no value.'],
    [['--host', '', '--open'], '--host is empty; it must be an address of this machine.'],
    [['--config'], 'The flag --config needs a value.'],
    [['--open=yes'], 'The flag --open takes no value.'],
    [
      ['--store', 'a.db', '--store', 'b.db'],
      'The flag --store is set 2 times. A gateway has one store, so set it once.',
    ],
  ])('exits with 2 for the command line %j', async (argv, message) => {
    const served = run(argv);
    expect(await served.code).toBe(2);
    expect(served.err()).toBe(`gw: ${message} See gw serve --help.\n`);
  });

  it.each([
    ['an address on the network but no service keys', ['--host', '0.0.0.0'], {}, {}, 'Without service keys'],
    ['a key that is not set', [], {}, { auth: { keys: [{ id: 'a', key: '${env:NOT_SET}' }] } }, '"a" (${env:NOT_SET})'],
    [
      'a default config that does not exist',
      [],
      {},
      { default_config: 'main' },
      'The default config "main" does not exist.',
    ],
    [
      'a key that no client can send',
      [],
      { KEY: 'one\ntwo' },
      { auth: { keys: [{ id: 'a', key: '${env:KEY}' }] } },
      'The service key "a" (${env:KEY}) cannot be sent in a header: it has a line break',
    ],
    ['an empty --store flag', ['--store', ''], {}, {}, 'The flag --store is empty.'],
    [
      'store settings without a URL',
      [],
      {},
      { store: { limits: { url: 'redis://localhost:6379/1' } } },
      '"store" in the gateway file has no "url". Add it, such as "url": "gateway.db", or set the store with --store.',
    ],
    [
      'a store URL that is empty in the environment',
      [],
      { STORE: '' },
      { store: { url: '${env:STORE}' } },
      '"store.url" in the gateway file refers to ${env:STORE}, which is',
    ],
    [
      'two places for files',
      [],
      {},
      { store: { url: 'a.db', files: { folder: 'files', url: 's3://files' } } },
      '"store.files" in the gateway file has both "folder" and "url".',
    ],
    [
      'a bucket without a key',
      [],
      {},
      { store: { url: 'a.db', files: { url: 's3://files', access_key_id: '${env:NOT_SET}' } } },
      '"store.files.url" in the gateway file also needs "access_key_id" and "secret_access_key".',
    ],
    [
      'a key of a bucket that is not set',
      [],
      { SET: 'x' },
      {
        store: {
          url: 'a.db',
          files: { url: 's3://files', access_key_id: '${env:SET}', secret_access_key: '${env:NOT_SET}' },
        },
      },
      '"store.files.secret_access_key" in the gateway file refers to ${env:NOT_SET}, which is not set. Set it, or',
    ],
    [
      'the URL of a receiver of traces that includes their path',
      [],
      {},
      { telemetry: { otlp: { url: 'http://localhost:4318/v1/traces/' } } },
      '(http://localhost:4318/v1/traces/) ends in /v1/traces, but it must be the base URL, to which the gateway adds /v1/traces and /v1/metrics. Remove /v1/traces from its end.',
    ],
    [
      'the URL of a receiver of metrics that includes their path, in the environment',
      [],
      { OTLP_URL: 'http://ada:hunter2@localhost:4318/otlp/v1/metrics' },
      { telemetry: { otlp: { url: '${env:OTLP_URL}' } } },
      '(${env:OTLP_URL}) ends in /v1/metrics,',
    ],
    [
      'a folder of configs that does not exist',
      [],
      {},
      { configs: 'nowhere' },
      'or correct "configs" in the gateway file.',
    ],
    [
      'a folder of plans that does not exist',
      ['--plans', 'nowhere'],
      {},
      {},
      'nowhere. Create it, or correct --plans.',
    ],
  ])('does not start with %s', async (_what, argv, env, file, message) => {
    const served = run(['--port', '0', ...argv], env, file);
    expect(await served.code).toBe(1);
    expect(served.err()).toContain(message);
  });

  it('does not start with a config that has mistakes', async () => {
    await configs({ 'main.json': '{"provider":"ecko"}' });
    const served = run(['--port', '0'], {}, { configs: 'configs' });
    expect(await served.code).toBe(1);
    expect(served.err()).toContain('main.json: unknown-provider');
  });

  it('does not start if the folder of plans is a file', async () => {
    await configs({ 'main.json': '{}' });
    const served = run(['--port', '0', '--plans', 'configs/main.json']);
    expect(await served.code).toBe(1);
    expect(served.err()).toContain('main.json is not a folder. Correct --plans.');
  });

  it('does not start if a folder cannot be read, and explains why', async () => {
    await symlink('loop', join(folder, 'loop'));
    const served = run(['--port', '0'], {}, { configs: 'loop' });
    expect(await served.code).toBe(1);
    expect(served.err()).toBe(
      `gw: The folder ${join(folder, 'loop')}, which "configs" in the gateway file names, cannot be read. It is a symbolic link that refers to itself. Correct the link.\n`,
    );
  });

  it('does not start without its default config, and lists the existing ones', async () => {
    await configs({ 'main.json': '{"provider":"echo"}', 'other.json': '{"provider":"echo","name":"careful"}' });
    const near = run(['--port', '0'], {}, { configs: 'configs', default_config: 'carefull' });
    expect(await near.code).toBe(1);
    expect(near.err()).toContain('The default config "carefull" does not exist. Did you mean "careful"?');
    const far = run(['--port', '0'], {}, { configs: 'configs', default_config: 'production' });
    expect(await far.code).toBe(1);
    expect(far.err()).toContain('There are "main", "careful".');
  });

  it('does not start with a folder of configs in place of plans, and says how to compile them', async () => {
    await configs({ 'main.json': '{"provider":"echo"}' });
    const served = run(['--port', '0', '--plans', 'configs'], {}, { default_config: 'main' });
    expect(await served.code).toBe(1);
    expect(served.err()).toMatch(
      /^gw: There is no plan \(\*\.plan\.json\) in .*configs\. Create one: gw compile CONFIGS --out configs\n/,
    );
  });

  it('names the only config if the default config does not exist', async () => {
    await configs({ 'main.json': '{"provider":"echo"}' });
    const far = run(['--port', '0'], {}, { configs: 'configs', default_config: 'production' });
    expect(await far.code).toBe(1);
    expect(far.err()).toContain('There is only "main".');
  });

  it('reports that a folder has nothing to serve, and starts', async () => {
    await configs({});
    const served = run(['--port', '0'], {}, { configs: 'configs' });
    await served.origin;
    expect(served.err()).toMatch(
      /^gw: There is no config \(\*\.json, \*\.jsonc, \*\.yaml, \*\.yml\) in .*configs yet\./,
    );
    served.signal('SIGTERM');
    await served.code;
  });

  it('reports to the operator, but not to the caller, which secret a saved provider lacks', async () => {
    const saved = {
      ...nothingSaved,
      providers: { p: { provider: 'openai', credential: { api_key: '${env:NOT_SET}' } } },
    };
    const served = run(['--port', '0'], {}, {}, saved);
    const answer = await echo(await served.origin, { 'x-gw-provider': '@p', 'x-gw-trace-id': 'trace-1' });
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(text).toContain('saved-not-usable');
    expect(text).not.toContain('NOT_SET');
    expect(served.err().split('\n')).toEqual([
      expect.stringMatching(
        /^[^ ]*gateway\.json: The secret \$\{env:NOT_SET\} is missing\. Set NOT_SET .* Requests that need it are refused until then\.$/,
      ),
      'gw: The request trace-1 failed. The secret ${env:NOT_SET} is missing. Set NOT_SET in the environment of the gateway, and restart it.',
      '',
    ]);
    served.signal('SIGTERM');
    await served.code;
  });

  it('names the secrets that still have an example value, and where they are used', async () => {
    await configs({
      'main.json': '{"provider":"openai","api_key":"${env:MAIN_KEY}","override_params":{"model":"gpt-5.4-mini"}}',
      'other.json': '{"provider":"openai","api_key":"${env:SET_KEY}"}',
    });
    const providers = { p: { provider: 'openai', credential: { api_key: '${env:MAIN_KEY}' } } };
    const env = { MAIN_KEY: 'replace-me', SET_KEY: 'sk-1', UNUSED: 'replace-me' };
    const served = run(['--port', '0'], env, { configs: 'configs', providers }, { ...nothingSaved, providers });
    await served.origin;
    expect(served.err().split('\n')).toEqual([
      'gw: The variable MAIN_KEY still has the value "replace-me" of an example. It is used in gateway.json (/providers/p/credential/api_key), the config "main". Give the variable MAIN_KEY the value that is meant, and start the gateway again.',
      '',
    ]);
    served.signal('SIGTERM');
    await served.code;
  });

  it('requires a service key if it has some, and shows how to send one', async () => {
    const file = { auth: { keys: [{ id: 'a', key: '${env:GW_KEY}' }] } };
    const served = run(['--port', '0'], { GW_KEY: 'the-key' }, file);
    const origin = await served.origin;
    expect(served.out()).toContain('-H "x-gw-api-key: $GW_KEY"');
    expect(served.out()).not.toContain('the-key');
    expect((await echo(origin, { 'x-gw-provider': 'echo' })).status).toBe(401);
    expect((await echo(origin, { 'x-gw-provider': 'echo', 'x-gw-api-key': 'the-key' })).status).toBe(200);
    served.signal('SIGTERM');
    await served.code;
  });
});
