import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { nothingSaved } from '../../../schema/config/saved.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { installedFolder, installedGw } from '../../support/gateways/installed-gateway.ts';
import { control, makeKey, serveStore } from '../../support/gateways/stored-gateway.ts';

const root = path.join(import.meta.dirname, '../../..');

/**
 * Records every module that Node loads, and every module that it searches for, in the files that environment variables name.
 */
const noteModules = `
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    appendFileSync(process.env.FOUND_MODULES, found.url + '\\n');
    return found;
  },
  load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES, url + '\\n');
    return next(url, context);
  },
});
`;

/** Records the modules of Node that `gw.js` loads in advance, in place of loading them, and those that a gateway loads anyway. */
const noteNodeModules = `
import { writeFileSync } from 'node:fs';
const asked = [];
const load = process.getBuiltinModule;
process.getBuiltinModule = (name) => {
  if (name.startsWith('node:')) return load(name);
  asked.push(name);
};
process.on('exit', () => {
  const loaded = process.moduleLoadList.map((each) => each.replace('NativeModule ', ''));
  writeFileSync(process.env.NODE_MODULES, JSON.stringify({ asked, loaded }));
});
`;

let gateway: GatewayProcess;

const noting = (gw = path.join(root, 'gw.js'), note = noteModules): readonly [string, ...string[]] => [
  process.execPath,
  '--import',
  `data:text/javascript,${encodeURIComponent(note)}`,
  gw,
];

const start = async (
  files: Readonly<Record<string, unknown>> = {},
  args: readonly string[] = [],
  gw = path.join(root, 'gw.js'),
): Promise<GatewayProcess> =>
  startGateway({
    files,
    args,
    command: noting(gw),
    env: { LOADED_MODULES: 'loaded.txt', FOUND_MODULES: 'found.txt' },
  });

/** Returns the paths of the project's modules that a file of records lists. */
const noted = (file: string, { folder }: GatewayProcess): readonly string[] =>
  readFileSync(path.join(folder, file), 'utf8')
    .split('\n')
    .flatMap((url) => (url.startsWith(`file://${root}/`) ? [url.slice(`file://${root}/`.length)] : []));

const loaded = (running: GatewayProcess): readonly string[] => noted('loaded.txt', running);

/** The modules of a dialect that are loaded before a request needs it. */
const declared = [
  ...['declaration.ts', 'declarations.ts', 'provider-declarations.ts', 'encode-error.ts'],
  ...['model-list.ts', 'mistral-model-list.ts', 'routes.ts'],
];

const wholeDialects = (running: GatewayProcess = gateway): readonly string[] => {
  const codecs = loaded(running).flatMap((file) => {
    const [, dialect, name = ''] = /^plugins\/dialects\/([a-z-]+)\/(.+)$/.exec(file) ?? [];
    return dialect === undefined || dialect === 'shared' || declared.includes(path.basename(name)) ? [] : [dialect];
  });
  return [...new Set(codecs)].toSorted();
};

/** Returns the folders of checks of which a module is loaded. A partner's folder is reported by the name of the partner. */
const checks = (running: GatewayProcess = gateway): readonly string[] => [
  ...new Set(
    loaded(running).flatMap(
      (file) =>
        /^plugins\/guardrails\/(?:partners\/)?((?!shared|partners|client|pieces|findings)[a-z-]+)\/.+$/.exec(
          file,
        )?.[1] ?? [],
    ),
  ),
];

const ask = async (route: string, body: object, config: object = {}): Promise<number> => {
  const response = await fetch(`${gateway.baseUrl}${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify({ provider: 'echo', ...config }) },
    body: JSON.stringify({ model: 'echo', max_tokens: 9, messages: [{ role: 'user', content: 'Hello!' }], ...body }),
  });
  await response.text();
  return response.status;
};

/** Folders that no start with the defaults needs, and the modules in them that it may load anyway. */
const unneeded: readonly (readonly [folder: string, needed: readonly string[]])[] = [
  [
    'compiler',
    ['compiler/cli/command-line/usage-error.ts', 'compiler/cli/files/node-io.ts', 'compiler/cli/main-help.ts'],
  ],
  ['plugins/control', []],
  ['plugins/guardrails', ['plugins/guardrails/lazy-guardrails.ts']],
  ['plugins/host/isolation', []],
  ['plugins/overload', []],
  ['plugins/redis', []],
  ['plugins/telemetry', []],
  ['plugins/testkit', []],
  ['plugins/host/verifying', []],
  ['runtime/cli/tls', []],
  ['runtime/control-routes', []],
  ['runtime/embedded', []],
  ['runtime/simulation', []],
  ['runtime/server/http2', []],
  ['runtime/server/tls', []],
  ['schema/generated', []],
];

/** Returns the packages of which modules have been loaded. */
const packages = (): readonly string[] => [
  ...new Set(loaded(gateway).flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [])),
];

beforeAll(async () => {
  gateway = await start();
});
afterAll(() => gateway.stop());

describe('gw.js', () => {
  it('loads no module of Node in advance that a gateway would not load', async () => {
    const served = await startGateway({
      command: noting(installedGw, noteNodeModules),
      env: { NODE_MODULES: 'node.json' },
    });
    served.signal('SIGTERM');
    await served.exited;
    const { asked, loaded } = JSON.parse(readFileSync(path.join(served.folder, 'node.json'), 'utf8'));
    await served.stop();
    expect(asked).toContain('http');
    expect(loaded).toEqual(expect.arrayContaining(asked));
  });
});

describe('a gateway with the default settings', () => {
  it.each(unneeded)('loads nothing of %s when it starts', (folder, needed) => {
    expect(
      loaded(gateway)
        .filter((file) => file.startsWith(`${folder}/`))
        .toSorted(),
    ).toEqual(needed);
  });

  it('loads three packages and few modules of its own when it starts', () => {
    expect(packages().toSorted()).toEqual(['lru-cache', 'tapable', 'undici']);
    // Each module takes about 0.1 ms. A capability that a plan names is loaded when the plan is linked. Raise this number only for
    // something that every gateway needs for its first request.
    expect(loaded(gateway).filter((file) => file.endsWith('.ts')).length).toBeLessThanOrEqual(650);
  });

  it('loads no dialect, no code that signs requests for a cloud, and no compiler when it starts', () => {
    const files = loaded(gateway);
    expect(files).toContain('plugins/providers/bedrock/bedrock.ts');
    expect(files).toContain('plugins/dialects/gemini/declaration.ts');
    expect(wholeDialects()).toEqual([]);
    expect(files.filter((file) => /^plugins\/caches\/.+\//.test(file))).toEqual([
      'plugins/caches/semantic/semantic.ts',
    ]);
    for (const name of ['sign-v4', 'assume-role', 'entra-token', 'google-token', 'request-token'])
      expect(files).not.toContain(`plugins/providers/auth/${name}.ts`);
  });

  it('resolves the imports of its sources directly, and searches only for the first one', () => {
    const isSource = (file: string): boolean => file.endsWith('.ts') && !file.startsWith('node_modules/');
    expect(loaded(gateway).filter(isSource).length).toBeGreaterThan(100);
    expect(noted('found.txt', gateway).filter(isSource)).toEqual(['gw.ts']);
  });

  it('loads the dialect of a request, and the compiler without the warnings for files', async () => {
    expect(await ask('/chat/completions', {})).toBe(200);
    expect(wholeDialects()).toEqual(['chat']);
    expect(loaded(gateway)).toContain('compiler/compile-caller.ts');
    expect(loaded(gateway)).not.toContain('compiler/check/operator-checks.ts');
    expect(loaded(gateway)).not.toContain('schema/generated/validate-gateway-file.ts');
    expect(loaded(gateway).filter((file) => file.endsWith('.ts')).length).toBeLessThanOrEqual(905);
  });

  it('loads another dialect when a request must be translated from it', async () => {
    expect(await ask('/messages', {})).toBe(200);
    expect(loaded(gateway)).not.toContain('runtime/engine/stages/guardrails/check-stages.ts');
    expect(wholeDialects()).toEqual(['chat', 'messages']);
  });

  it("loads the check of a partner when a plan names it, and no other partner's check", async () => {
    const check = { 'promptfoo.guard': { baseUrl: 'http://127.0.0.1:9' }, deny: true };
    expect(await ask('/chat/completions', {}, { input_guardrails: [check] })).toBe(200);
    expect(checks()).toEqual(['promptfoo']);
  });

  it('loads the code of a built-in check when a plan names it, and no other check', async () => {
    const check = { 'default.pii': {}, deny: true };
    expect(await ask('/chat/completions', {}, { input_guardrails: [check] })).toBe(200);
    expect(loaded(gateway)).toContain('plugins/guardrails/privacy/pii-check.ts');
    expect(checks()).toEqual(['promptfoo', 'privacy']);
  });

  it('loads the cache when a plan uses one, but none of the other cache modes', async () => {
    const isCache = (file: string): boolean => /^runtime\/engine\/(?:plugin-caches|stages\/cache)\//.test(file);
    expect(loaded(gateway).filter(isCache)).toEqual([]);
    const metadata = { tier: 'cached' };
    const cached = { cache: { mode: 'simple' }, override_params: { metadata } };
    expect(await ask('/chat/completions', {}, cached)).toBe(200);
    expect(loaded(gateway)).toContain('runtime/engine/stages/cache/cache.ts');
    expect(loaded(gateway).filter((file) => /^plugins\/caches\/.+\//.test(file))).toEqual([
      'plugins/caches/semantic/semantic.ts',
    ]);
  });

  it('loads nothing for metrics and traces unless they are turned on', async () => {
    expect(loaded(gateway).filter((file) => /^plugins\/telemetry|prom-client|@opentelemetry/.test(file))).toEqual([]);
    const counting = await start({ 'gateway.json': { metrics: true } });
    const files = loaded(counting);
    await counting.stop();
    expect(files).toContain('plugins/telemetry/metrics/tap-hooks.ts');
    expect(files.some((file) => file.includes('prom-client'))).toBe(true);
  });

  it('loads no dialect to answer with an error', async () => {
    const response = await fetch(`${gateway.origin}/responses/elsewhere`, { method: 'POST' });
    expect(response.status).toBe(404);
    expect(wholeDialects()).toEqual(['chat', 'messages']);
  });
});

describe('an installed gateway', () => {
  it('loads its code from few files, because finding each file takes time', async () => {
    const installed = await start({}, [], installedGw);
    const files = readFileSync(path.join(installed.folder, 'loaded.txt'), 'utf8').split('\n');
    await installed.stop();
    expect(files.filter((file) => file.startsWith(`file://${installedFolder}/dist/`)).length).toBeLessThanOrEqual(82);
  });
});

describe('a gateway without logs, keys or a store', () => {
  it.each(['server/logs/request-log', 'server/logs/hook-log', 'server/logs/refusal-log', 'tenant-plans/tenant-plans'])(
    'does not load %s',
    (name) => {
      const file = `runtime/${name}.ts`;
      expect(existsSync(path.join(root, file))).toBe(true);
      expect(loaded(gateway)).not.toContain(file);
    },
  );
});

describe('a gateway with a folder of configs', () => {
  it('loads every dialect to warn about settings in its files', async () => {
    const config = { provider: 'anthropic', api_key: '${env:KEY}', override_params: { seed: 7 } };
    const files = { 'gateway.json': { configs: 'configs' }, 'configs/seeded.json': config };
    const serving = await startGateway({ files, env: { KEY: 'k' } });
    expect(serving.printed()).toContain('setting-not-carried');
    await serving.stop();
  });
});

describe('a gateway with a store', () => {
  it('loads no dialect for saved configs until a request needs one', async () => {
    const folder = temporaryFolder();
    const env = { LOADED_MODULES: 'loaded.txt', FOUND_MODULES: 'found.txt' };
    const first = await serveStore('gateway.db', { folder });
    const config = { provider: 'echo', override_params: { seed: 7 } };
    await control(first, 'POST /configs', { body: { name: 'Saved', slug: 'saved', config } });
    const { key } = await makeKey(first, 'app');
    await first.stop();

    const serving = await serveStore('gateway.db', { folder, env, command: noting() });
    const served = await fetch(`${serving.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-api-key': key, 'x-gw-config': 'saved' },
      body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hello!' }] }),
    });
    expect([served.status, wholeDialects(serving)]).toEqual([200, ['chat']]);
  });
});

describe('a gateway with a folder of compiled plans', () => {
  it('loads the checks that its plans name before it accepts requests', async () => {
    const config = {
      provider: 'echo',
      input_guardrails: [{ 'default.contains': { words: ['secret'], operator: 'none' }, deny: true }],
    };
    const { plan } = compile(JSON.stringify(config), {
      trust: 'operator',
      catalogue: buildCatalogue(builtinPlugins),
      saved: nothingSaved,
      name: 'guarded',
    });
    const serving = await start({ 'plans/guarded.plan.json': plan }, ['--plans', 'plans']);
    expect(checks(serving)).toEqual(['text']);
    const ask = (content: string) =>
      fetch(`${serving.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gw-config': 'guarded' },
        body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content }] }),
      });
    const statuses = [(await ask('Hello!')).status, (await ask('A secret.')).status];
    await serving.stop();
    expect(statuses).toEqual([200, 446]);
  });
});
