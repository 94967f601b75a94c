import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { apiResources } from '../../../plugins/control/cli/resources/api-resources.ts';
import { usage } from '../../../plugins/control/cli/resources/usage.ts';
import { usageArms } from '../../../plugins/control/cli/resources/usage-arms.ts';
import type { Resource } from '../../../plugins/control/kernel/resource/api-command.ts';
import { type CommandResult, runCommand } from '../../support/commands/run-command.ts';
import { type GwRun, runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { readFences } from '../../support/readme/read-fences.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';

const admin = 'the-admin-key-of-this-test-with-40-chars';
const config = '{\n  // For people.\n  "provider": "@shop",\n  "retry": { "attempts": 2 }\n}\n';

const toRoutes = ({ commands, parts = {} }: Resource): readonly string[] => [
  ...Object.values(commands).map(({ route }) => route.replaceAll(/\{\w+\}/g, '{}')),
  ...Object.values(parts).flatMap(toRoutes),
];

/**
 * The description of the routes, short forms of `POST /api-keys`, comparisons of secrets for `gw apply`, and the routes of the
 * console's pages.
 */
const withoutCommand = [
  'GET /audit-logs',
  'GET /openapi.json',
  ...['organisation/service', 'workspace/service', 'workspace/user'].map((kind) => `POST /api-keys/${kind}`),
  ...['configs', 'guardrails', 'integrations', 'providers', 'virtual-keys'].map((name) => `POST /${name}/{}/compare`),
  ...['POST', 'GET', 'DELETE'].map((method) => `${method} /console/session`),
  ...['POST /console/playground', 'GET /config-facts', 'GET /kinds/providers', 'GET /kinds/checks', 'GET /logs/events'],
];

const prompt = (content: string): object => ({
  name: 'Greet',
  string: JSON.stringify([{ role: 'user', content }]),
  parameters: {},
  virtual_key: '@poet',
  model: 'm',
});

describe('the commands of the control plane with a gateway and a store', () => {
  let gateway: GatewayProcess;

  beforeAll(async () => {
    gateway = await startGateway({
      files: {
        'greet.json': prompt('Hello {{name}}'),
        'open.json': JSON.stringify(prompt('Hello {{#name}}')),
        'ada.json': { name: 'Ada' },
        'bye.json': { ...prompt('Bye'), virtual_key: '@echo-twice' },
        'bye.mustache': 'Bye, {{name}}!',
        'open.mustache': 'Bye,\n{{#name}}',
        'part.json': { ...prompt('{{>bye}}'), name: 'Part', virtual_key: '@echo-one' },
        'no-cities.json': { checks: [{ id: 'default.contains', parameters: { words: ['Oslo'], operator: 'none' } }] },
        'misspelt.json': '{ "checks": [{ "id": "default.contain" }] }',
        'policy.json': { conditions: [{ key: 'model', value: '@shop/*' }], group_by: [{ key: 'metadata._user' }] },
        'models.json': [{ slug: 'gpt-4o', enabled: true }],
        'shop.json': config,
        'hosted.json': { settings: { custom_host: 'https://models.example.com' } },
        'wrong.json': '{\n  "provider": "@shop",\n  "retyr": { "attempts": 2 }\n}\n',
      },
      args: ['--store', 'gateway.db'],
      env: { GW_ADMIN_KEY: admin },
    });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await gateway.stop();
  });

  const gw = (line: string, key = admin): Promise<GwRun> => {
    vi.stubEnv('GW_URL', gateway.origin);
    vi.stubEnv('GW_API_KEY', key);
    vi.stubEnv('SHOP_KEY', 'sk-of-the-shop-12345');
    return runGw(gateway.folder, line.split(' '));
  };

  it('suggest the nearest record for an unknown name', async () => {
    expect(await gw('providers create --name Corner --slug corner --provider openai --key-env SHOP_KEY')).toMatchObject(
      { code: 0 },
    );
    for (const line of ['providers update cornr --note new', 'providers get cornr', 'providers delete cornr'])
      expect(await gw(line), line).toMatchObject({ err: expect.stringContaining('Did you mean "corner"?') });
    expect((await gw('providers get something-else')).err).not.toContain('Did you mean');
  });

  it('warn about a host without the path of the API on standard error, and still save it', async () => {
    for (const resource of ['providers', 'integrations', 'virtual-keys']) {
      const flags = `--name Hosted --slug hosted-${resource} --provider openai --key-env SHOP_KEY`;
      const made = await gw(`${resource} create hosted.json ${flags}`);
      expect([made.code, made.err], resource).toEqual([
        0,
        expect.stringMatching(/^warning\[missing-version\]: .* a path such as "\/v1"\.\n.*hosted\.json:\d+:\d+/),
      ]);
      expect(made.out).toContain(' was saved');
      const changed = await gw(`${resource} update hosted-${resource} hosted.json --format json`);
      expect(JSON.parse(changed.out)).toMatchObject({ diagnostics: [{ code: 'missing-version' }] });
      expect(await gw(`${resource} update hosted-${resource} --name Other`)).toMatchObject({ code: 0, err: '' });
    }
  });

  it('create a provider and a config, change them, and show no secret', async () => {
    expect(await gw('providers create --name Shop --slug shop --provider openai --key-env SHOP_KEY')).toMatchObject({
      code: 0,
    });
    expect(await gw('configs create shop.json --slug shop')).toEqual({
      code: 0,
      out: 'The config was saved as shop.\n',
      err: '',
    });
    expect(await gw('configs update shop shop.json --name Ours --default')).toMatchObject({ code: 0, err: '' });
    expect((await gw('configs list')).out).toMatch(/^SLUG +NAME +DEFAULT +CHANGED\nshop +Ours +yes +\d{4}-/);
    const { out } = await gw('configs versions shop --format json');
    expect(JSON.parse(out)).toMatchObject({ object: 'list', total: 2 });
    expect((await gw('configs get shop')).out).toContain('"provider": "@shop"');
    const written = path.join(gateway.folder, 'written.json');
    writeFileSync(written, JSON.stringify({ provider: 'openai', api_key: 'sk-of-a-config-12345' }));
    await gw('configs create written.json --slug written');
    const { out: alone } = await gw('configs get written --format config');
    expect(JSON.parse(alone)).toEqual({ provider: 'openai', api_key: expect.not.stringContaining('sk-of') });
    writeFileSync(written, alone);
    expect(await gw('configs update written written.json')).toMatchObject({ code: 0, err: '' });
    expect((await gw('configs get written --format config')).out).toBe(alone);
    const shown = await Promise.all(
      ['providers list', 'providers get shop', 'providers get shop --format json'].map((line) => gw(line)),
    );
    for (const each of shown) {
      expect(each).toMatchObject({ code: 0, err: '' });
      expect(each.out).not.toContain('sk-of');
    }
  });

  it('create policies, change them, show their usage, and archive them', async () => {
    const made = await gw('policies usage create policy.json --name Team --type cost --limit 12.5 --reset weekly');
    expect(made).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^warning\[optional-label\]: Requests may lack the label "_user": /),
    });
    const [, id = ''] = /^The policy (\S+) was created and applies\.\n$/.exec(made.out) ?? [];
    expect((await gw('policies usage list')).out).toMatch(
      /^ID +NAME +TYPE +LIMIT +ALERT +RESETS\n\S+ +Team +cost +12\.5 +- +\d{4}-\S+T00:00:00\.000Z\n/,
    );
    const changed = await gw(`policies usage update ${id} --limit 0.1 --alert 0.05 --reset none`);
    expect(changed).toMatchObject({ code: 0, err: '' });
    const { out } = await gw(`policies usage get ${id} --format json`);
    expect(JSON.parse(out)).toMatchObject({ credit_limit: 0.1, alert_threshold: 0.05, periodic_reset: null });
    expect(await gw(`policies usage entities ${id} --search ann`)).toMatchObject({ code: 0 });
    expect((await gw(`policies usage reset ${id} ${id}`)).out).toBe(`The counter of ${id} was set to 0.\n`);
    expect((await gw(`policies usage delete ${id}`)).code).toBe(0);
    expect(await gw(`policies usage get ${id}`)).toMatchObject({ code: 1, out: '' });
    expect((await gw(`policies usage get ${id} --status archived`)).code).toBe(0);
    const rate = await gw('policies rate create policy.json --type requests --unit rpm --limit 60');
    expect(rate.code).toBe(0);
    expect((await gw('policies rate list')).out).toMatch(/\S+ +- +requests +60 +rpm\n/);
    const wrong = await gw('policies rate create policy.json --type requests --unit rpm --limit 1.5');
    expect(wrong).toMatchObject({
      code: 2,
      err: 'gw: The flag --limit is not an integer. Write --limit 1, for example.\n',
    });
    const unknown = await gw('policies usage create policy.json --type cost --limit 1 --alert 2');
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain('The threshold 2 is not below the limit 1.');
    expect((await gw('policies --help')).out).toContain('  usage  Limit what requests may cost');
  });

  it('report mistakes of a config at their line, and what a dry run finds', async () => {
    for (const line of [
      'configs create wrong.json',
      'configs update shop wrong.json',
      'configs create wrong.json --dry-run',
    ]) {
      const { code, err } = await gw(line);
      expect(err).toContain('error[unknown-key]');
      expect(err).toContain('┌─ wrong.json:3:3  /retyr');
      expect(code).toBe(1);
    }
    const { code, out, err } = await gw('configs create shop.json --dry-run');
    expect({ code, err }).toEqual({ code: 0, err: 'gw: Nothing was saved.\n' });
    expect(out).toMatch(/^leaves +1\nattempts +3\nlongest_ms +\d+\n$/);
  });

  it('explain what is in use, what does not exist, and what a key may not do', async () => {
    expect(await gw('configs delete shop')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^gw: The config "shop" is used by /),
    });
    expect(await gw('configs get nothing')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^gw: There is no config "nothing"\./),
    });
    const { out: key } = await gw('keys create --name app --scopes completions.write');
    expect(await gw('configs list', key.trim())).toMatchObject({
      code: 1,
      err: expect.stringContaining('configs.list'),
    });
    expect(await gw('configs list', 'gw-wrong')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Correct GW_API_KEY'),
    });
  });

  it('create, rotate and revoke keys', async () => {
    const { out: made, err } = await gw('keys create --name app --scopes configs.list --expires 2090-01-01T00:00:00Z');
    const id = /\((\S+)\)/.exec(err)?.[1] ?? '';
    expect(await gw('configs list', made.trim())).toMatchObject({ code: 0 });
    const { out: rotated } = await gw(`keys rotate ${id} --transition 1h`);
    expect(await gw('configs list', made.trim())).toMatchObject({ code: 0 });
    expect(await gw(`keys revoke ${id}`)).toEqual({
      code: 0,
      out: `The key ${id} was revoked. Gateways refuse it within a second.\n`,
      err: '',
    });
    await expect.poll(async () => (await gw('configs list', rotated.trim())).code).toBe(1);
    expect((await gw('keys list --status revoked')).out).toContain(id);
    expect((await gw(`keys get ${id}`)).out).toMatch(/^expires_at +2090-01-01T00:00:00Z$/m);
  });

  it('rotate a key without a body, however its absence is written', async () => {
    const { err } = await gw('keys create --name app --scopes configs.list');
    const id = /\((\S+)\)/.exec(err)?.[1] ?? '';
    const ways: readonly RequestInit[] = [
      {},
      { body: '', headers: { 'content-type': 'application/json' } },
      { body: '{}', headers: { 'content-type': 'application/json' } },
    ];
    for (const way of ways) {
      const headers = { ...way.headers, 'x-gw-api-key': admin };
      const { status } = await fetch(`${gateway.baseUrl}/api-keys/${id}/rotate`, { ...way, method: 'POST', headers });
      expect(status).toBe(200);
    }
    const inChunks = async (headers: object): Promise<number | undefined> => {
      const asked = request(`${gateway.baseUrl}/api-keys/${id}/rotate`, {
        method: 'POST',
        headers: { 'x-gw-api-key': admin, 'transfer-encoding': 'chunked', ...headers },
      });
      asked.flushHeaders();
      asked.end();
      const [answer]: IncomingMessage[] = await once(asked, 'response');
      answer?.resume();
      return answer?.statusCode;
    };
    expect(await inChunks({})).toBe(200);
    expect(await inChunks({ 'content-type': 'application/json' })).toBe(200);
    expect(await inChunks({ 'content-type': 'text/plain' })).toBe(400);
    const untyped = await fetch(`${gateway.baseUrl}/api-keys/${id}/rotate`, {
      ...{ method: 'POST', headers: { 'x-gw-api-key': admin }, duplex: 'half' },
      body: new Blob(['{}']).stream(),
    } as RequestInit);
    expect(untyped.status).toBe(400);
    expect(await gw(`keys rotate ${id}`)).toMatchObject({ code: 0, out: expect.stringMatching(/^gw-\S+\n$/) });
  });

  it('save a prompt, publish its second version and render it', async () => {
    await gw('providers create --name Poet --slug poet --provider openai --key-env SHOP_KEY');
    expect(await gw('prompts create greet.json --slug greet')).toMatchObject({ code: 0, err: '' });
    expect(await gw('prompts update greet greet.json --description second')).toMatchObject({ code: 0, err: '' });
    expect((await gw('prompts versions greet')).out).toMatch(
      /^VERSION +PUBLISHED .*\n2 +no +- +\S+ +second\n1 +yes +- +\S+ +-\n$/,
    );
    expect(await gw('prompts publish greet --version 2')).toMatchObject({ code: 0, err: '' });
    expect((await gw('prompts list')).out).toMatch(/\ngreet +Greet +2 +/);
    const { out } = await gw('prompts render greet ada.json');
    expect(JSON.parse(out)).toMatchObject({ messages: [{ role: 'user', content: 'Hello Ada' }], model: 'm' });
    const { code, err } = await gw('prompts create open.json');
    expect(err).toContain('open.json:1:26  /string');
    expect(code).toBe(1);
    expect(await gw('prompts delete greet')).toMatchObject({ code: 0, err: '' });
  });

  it('cover every route of the gateway, and no other', async () => {
    const answer = await fetch(`${gateway.baseUrl}/openapi.json`, { headers: { 'x-gw-api-key': admin } });
    const { paths } = (await answer.json()) as {
      readonly paths: Readonly<
        Record<
          string,
          Readonly<Record<string, Readonly<Record<'x-gw-shared' | 'x-gw-dialect' | 'x-gw-page', unknown>>>>
        >
      >;
    };
    // Routes that providers have too, such as models, are called by the providers' own clients.
    const served = Object.entries(paths).flatMap(([route, methods]) =>
      Object.keys(methods)
        .filter((method) => {
          const { 'x-gw-shared': isShared, 'x-gw-dialect': dialect, 'x-gw-page': isPage } = methods[method] ?? {};
          return [isShared, dialect, isPage].every((each) => each === undefined);
        })
        .map((method) => `${method.toUpperCase()} ${route.replace(/^\/v1/, '').replaceAll(/\{\w+\}/g, '{}')}`),
    );
    const asked = [...apiResources.flatMap(toRoutes), usage.route, usageArms.route];
    expect(asked.filter((route) => !served.includes(route))).toEqual([]);
    expect(served.filter((route) => !asked.includes(route) && !withoutCommand.includes(route))).toEqual([]);
  });

  it('run prompts with partials, and refer to their versions by labels', async () => {
    await gw('providers create --name Echo --slug echo-one --provider echo');
    expect(await gw('prompts partials create bye.mustache --slug bye')).toEqual({
      code: 0,
      out: 'The partial was stored: templates include it as {{>bye}}.\n',
      err: '',
    });
    expect(await gw('prompts create part.json --slug part')).toMatchObject({ code: 0, err: '' });
    const ran = await gw('prompts run part --variable name=Ada');
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toContain('Bye, Ada!');
    const whole = await gw('prompts run part --variable name=Ada --format json');
    expect(JSON.parse(whole.out)).toMatchObject({ object: 'chat.completion' });
    expect(await gw('prompts labels create --name production --colour #00ff00')).toMatchObject({ code: 0, err: '' });
    expect(await gw('prompts label part --label production --version 1')).toMatchObject({ code: 0, err: '' });
    expect((await gw('prompts render part@production --variable name=Eve')).out).toContain('Bye, Eve!');
    expect((await gw('prompts get part')).out).toMatch(/^labels +production$/m);
    expect(await gw('prompts label part --label production --version none')).toMatchObject({ code: 0, err: '' });
    expect(await gw('prompts render part@production')).toMatchObject({ code: 1 });
    expect(await gw('prompts partials delete bye')).toMatchObject({ code: 1 });
    const open = await gw('prompts partials update bye open.mustache');
    expect(open).toMatchObject({ code: 1, err: expect.stringMatching(/^gw: open\.mustache: .*line 2, column 1/) });
    expect((await gw('prompts partials get bye')).out).toMatch(/\n\nBye, \{\{name\}\}!\n$/);
    const made = await gw('prompts collections create --name Support');
    const id = /\((\S+)\)/.exec(made.out)?.[1] ?? '';
    expect(await gw(`prompts update part part.json --collection ${id}`)).toMatchObject({ code: 0, err: '' });
    expect((await gw(`prompts list --collection ${id}`)).out).toMatch(/\npart +Part /);
  });

  it('save guardrails, virtual keys and integrations, and create workspaces', async () => {
    const done = { code: 0, err: '' };
    expect(await gw('guardrails create no-cities.json --slug no-cities')).toMatchObject(done);
    expect((await gw('guardrails get no-cities')).out).toContain('"id": "default.contains"');
    expect(await gw('guardrails delete no-cities')).toMatchObject(done);
    expect(await gw('virtual-keys create --name VK --slug vk --provider openai --key-env SHOP_KEY')).toMatchObject(
      done,
    );
    expect(await gw('virtual-keys update vk --expires 2090-01-01T00:00:00Z')).toMatchObject(done);
    expect(await gw('virtual-keys update vk --expires never')).toMatchObject(done);
    expect((await gw('virtual-keys list')).out).toMatch(/\nvk +VK +openai +active +-\n/);
    expect(await gw('workspaces create --name Research --slug research --metadata team=r')).toMatchObject(done);
    expect((await gw('workspaces get research')).out).toContain('"team":"r"');
    expect(
      await gw(
        'integrations create --name Shared --slug shared --provider openai --key-env SHOP_KEY --workspaces research',
      ),
    ).toMatchObject(done);
    expect(await gw('integrations set-models shared models.json --other-models no')).toEqual({
      code: 0,
      out: 'MODEL   ENABLED  CUSTOM  BASE\ngpt-4o  yes      -       -\n',
      err: 'gw: Whether other models may be called: no.\n',
    });
    expect(
      await gw('providers create --name Main --slug main --integration shared --workspace research'),
    ).toMatchObject(done);
    expect(await gw('integrations delete shared')).toMatchObject({ code: 1 });
    expect(await gw('organisation update --name Acme')).toMatchObject({
      ...done,
      out: 'The organisation Acme was updated.\n',
    });
    const { err } = await gw('keys create --name app --scopes configs.list');
    const id = /\((\S+)\)/.exec(err)?.[1] ?? '';
    expect(await gw(`keys update ${id} --scopes configs.list,configs.read --name app2`)).toMatchObject(done);
    expect((await gw(`keys get ${id}`)).out).toMatch(/^scopes +configs\.list, configs\.read$/m);
    expect(await gw('keys rotate nothing')).toMatchObject({ code: 1 });
  });

  it.each([
    ['configs create shop.json --slug twice', 'gw configs update twice shop.json changes that config.'],
    ['prompts create bye.json --slug twice', 'gw prompts update twice bye.json changes that prompt.'],
    ['prompts partials create bye.mustache --slug twice', 'gw prompts partials update twice bye.mustache changes that'],
    ['prompts labels create --name twice', 'gw prompts labels update twice changes that label.'],
    ['guardrails create no-cities.json --slug twice --name Twice', 'gw guardrails update twice no-cities.json changes'],
    ['providers create --slug twice --name Twice --provider echo', 'gw providers update twice changes a provider, gw'],
    ['virtual-keys create --slug twice --name T --provider echo', ' gw virtual-keys update twice a virtual key.'],
    [
      'integrations create --slug twice --name T --provider openai --key-env SHOP_KEY',
      'gw integrations update twice c',
    ],
    ['workspaces create --slug twice --name Twice', 'gw workspaces update twice changes that workspace.'],
    [
      'virtual-models create --name twice --target @echo-twice/m',
      'gw virtual-models update twice changes that virtual',
    ],
  ])('gw %s, when repeated, names the command that changes the existing record', async (line, advice) => {
    await gw('providers create --slug echo-twice --name Echo --provider echo');
    await gw(line);
    const { code, err } = await gw(line);
    expect(err).toContain(advice);
    expect({ code, lines: err.split('\n').length }).toEqual({ code: 1, lines: 2 });
  });

  it('try a guardrail before and after it is saved, and fail if a check fails', async () => {
    const passed = await gw('guardrails try no-cities.json --text Bergen');
    expect(passed).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^passed +yes$/m) });
    await gw('guardrails create no-cities.json --slug cities');
    const failing = await gw('guardrails try --guardrail cities --text Oslo --as answer');
    expect(failing).toMatchObject({ code: 1, err: '', out: expect.stringMatching(/^passed +no$/m) });
    expect(failing.out).toContain('but it contains some');
    const json = await gw('guardrails try --guardrail cities --text Oslo --format json');
    expect([json.code, JSON.parse(json.out).passed]).toEqual([1, false]);
    expect(await gw('guardrails try --text Oslo')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('There is nothing to try.'),
    });
    const textless = await gw('guardrails try --guardrail cities');
    expect(textless).toMatchObject({ code: 1, err: 'gw: --text is missing. Add it.\n' });
    expect(await gw('guardrails try misspelt.json --text Oslo')).toMatchObject({
      code: 1,
      err: expect.stringContaining('┌─ misspelt.json:1:22  /checks/0/id'),
    });
  });

  it('try a credential, and fail if the provider refuses it', async () => {
    const upstream = await startUpstream((call) =>
      call.request.header('authorization') === 'Bearer sk-good'
        ? call.json({ object: 'list', data: [{ id: 'm-\u001b[31m1' }] })
        : call.json({ error: { message: 'sk-bad is wrong' } }, { status: 401 }),
    );
    onTestFinished(() => upstream.close());
    for (const [kind, slug, key] of [
      ['providers', 'good', 'sk-good'],
      ['providers', 'bad', 'sk-bad'],
      ['virtual-keys', 'good-vk', 'sk-good'],
    ] as const) {
      const settings = { custom_host: `${upstream.origin}/v1` };
      const body = JSON.stringify({ name: slug, slug, provider: 'openai', key, settings });
      const headers = { 'x-gw-api-key': admin, 'content-type': 'application/json' };
      expect((await fetch(`${gateway.baseUrl}/${kind}`, { method: 'POST', headers, body })).status).toBe(200);
    }
    const good = await gw('providers test good');
    expect(good).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^outcome +accepted$/m) });
    expect(good.out).toContain('"m-\\u001b[31m1"');
    expect(await gw('virtual-keys test good-vk')).toMatchObject({ code: 0, err: '' });
    const bad = await gw('providers test bad');
    expect(bad).toMatchObject({ code: 1, err: '', out: expect.stringMatching(/^outcome +refused$/m) });
    expect(bad.out).toContain('Save the credential again');
    expect(bad.out).not.toContain('sk-bad');
    expect(await gw('providers test nothing')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^gw: There is no provider "nothing"\./),
    });
  });

  it('end quietly if the reader closes the pipe, and fail if their output is lost', async () => {
    const shell = async (text: string): Promise<CommandResult> => {
      const env = {
        ...process.env,
        GW_URL: gateway.origin,
        GW_API_KEY: admin,
        GW: `"${process.execPath}" "${installedGw}"`,
      };
      return runCommand(['sh', '-c', `gw() { eval "$GW \\"\\$@\\""; }; ${text}`], { cwd: gateway.folder, env });
    };
    const long = `gw prompts run part --variable "name=$(seq 1 3000 | tr '\\n' ' ')"`;
    expect(await shell(`{ ${long}; echo "exit $?" >&2; } | head -c 5`)).toEqual({
      status: 0,
      stdout: 'Bye, ',
      stderr: 'exit 0\n',
    });
    expect((await shell('{ gw providers list --format json; echo "exit $?" >&2; } | true')).stderr).toBe('exit 0\n');
    if (!existsSync('/dev/full')) return;
    const full = await shell('gw providers list > /dev/full; echo "exit $?"');
    expect(full.stdout).toBe('exit 1\n');
    expect(full.stderr).toMatch(/^gw: Standard output could not be written: the disk is full\.\n$/);
    await gw('prompts run part --variable name=Ada');
    expect(await shell('gw logs --follow > /dev/full; echo "exit $?"')).toEqual(full);
  });

  it('create an admin key and a backup while the gateway serves the store', async () => {
    const { code, out } = await gw('keys create --admin --store gateway.db');
    expect({ code, out }).toEqual({ code: 0, out: `${path.join(gateway.folder, 'gateway.db.admin-key')}\n` });
    const key = readFileSync(out.trim(), 'utf8').trim();
    await expect.poll(async () => (await gw('keys list', key)).code).toBe(0);
    expect(await gw('backup copy.db --store gateway.db')).toMatchObject({ code: 0 });
    expect(existsSync(path.join(gateway.folder, 'copy.db'))).toBe(true);
    renameSync(out.trim(), `${out.trim()}.old`);
  });

  it('work as their README shows', async () => {
    const readme = readFileSync(new URL('../../../plugins/control/cli/README.md', import.meta.url), 'utf8');
    const fences = readFences(readme);
    const toText = (wanted: string): string => fences.find(({ language }) => language === wanted)?.text ?? '';
    const own = await startGateway({
      files: { 'support.json': toText('json') },
      args: ['--store', 'gateway.db'],
      env: { GW_ADMIN_KEY: admin },
    });
    try {
      vi.stubEnv('GW_URL', own.origin);
      vi.stubEnv('GW_API_KEY', admin);
      vi.stubEnv('OPENAI_API_KEY', 'sk-12345');
      const printed: string[] = [];
      for (const line of toText('bash').trim().split('\n')) {
        const { out, err } = await runGw(own.folder, line.split(' ').slice(1));
        printed.push(out, err);
      }
      expect(printed.join('')).toBe(toText('text'));
    } finally {
      await own.stop();
    }
  });
});
