import { linkSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { GwRun } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { adminKey, callControl, control, serveStore, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { secondOrganisation } from '../tenants/support/second-organisation.ts';
import { countAudits, gwFor, readFiles, writeFiles } from './support.ts';

const settings = { 'gatewright.json': { name: 'acme' } };

const gateway = sharedStore();
afterEach(() => vi.unstubAllEnvs());

describe('a folder with mistakes', () => {
  it('is refused if two files describe the same record', async () => {
    const err = await refused({
      'workspaces/default/providers/main.json': { provider: 'echo' },
      'workspaces/default/providers/main.yaml': 'provider: echo\n',
    });
    expect(err).toContain(
      'gw: workspaces/default/providers/main.yaml: workspaces/default/providers/main.json describes the same record. Keep one of the two files.',
    );
  });

  it('is refused if two files contain its name', async () => {
    expect(await refused({ 'gatewright.yaml': 'name: acme\n' })).toContain(
      'gw: gatewright.yaml: gatewright.json already contains the name of the folder. Keep one of the two files.',
    );
  });

  it.each([
    ['no name', '{}\n', '1:1'],
    ['an invalid name', '{\n  "name": "a b"\n}\n', '2:11'],
  ])('is refused if its settings have %s', async (_, settingsText, place) => {
    const err = await refused({ 'gatewright.json': settingsText });
    expect(err).toContain('The folder has no name.');
    expect(err).toContain(`folder/gatewright.json:${place}`);
  });

  it('is refused at the right lines if its files are YAML', async () => {
    const err = await refused({
      'workspaces/default/providers/main.yaml': '# ours\nprovider: echo\nnte: x\n',
      'workspaces/default/providers/open.yml': 'provider: [echo\n',
    });
    expect(err).toContain('main.yaml:3:1  /nte');
    expect(err).toContain('This is not valid YAML: a closing bracket is missing.');
  });

  const refused = async (
    files: Readonly<Record<string, unknown>>,
    prepare: (folder: string) => void = () => {},
  ): Promise<string> => {
    const cwd = temporaryFolder();
    const folder = writeFiles({ ...settings, ...files }, path.join(cwd, 'folder'));
    prepare(folder);
    const audits = await countAudits(gateway());
    const { code, out, err } = await gwFor(gateway(), cwd, ['apply', 'folder', '--keys-file', 'keys']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/gw: Nothing was changed\.\n$/);
    expect(await countAudits(gateway())).toBe(audits);
    return err;
  };

  it('is refused before any write, with every mistake at its file, line and column', async () => {
    const err = await refused({
      'workspaces/default/providers/open.json': '{\n  "provider": "echo",\n',
      'workspaces/default/providers/list.json': '[]',
      'workspaces/default/providers/main.json': '{\n  "provider": "echo",\n  "nte": "x",\n  "slug": "../x"\n}\n',
      'workspaces/default/providers/none.json': '{\n  "provider": "no-such-provider"\n}\n',
      'workspaces/default/configs/bad.json': '{\n  "config": {\n    "provider": "@main",\n    "retyr": {}\n  }\n}\n',
      'workspaces/default/configs/secret.json':
        '{\n  "config": {\n    "provider": "openai",\n    "api_key": "written-out"\n  }\n}\n',
      'workspaces/default/prompts/greet.json':
        '{\n  "string": "Hello {{#x}}",\n  "parameters": {},\n  "virtual_key": "@main",\n  "collection_id": "nowhere"\n}\n',
      'workspaces/default/rate-limits/nameless.json': { type: 'requests' },
      'workspaces/elsewhere/configs/x.json': { config: { provider: 'echo' } },
    });
    for (const place of [
      ...[
        'providers/open.json:',
        'providers/list.json:1:1',
        'providers/main.json:3:3  /nte',
        'providers/main.json:4:3  /slug',
      ],
      ...[
        'configs/secret.json:4:16  /config/api_key',
        'prompts/greet.json:2:13  /string',
        'rate-limits/nameless.json:',
      ],
    ])
      expect(err).toContain(`folder/workspaces/default/${place}`);
    expect(err).toContain('Did you mean "note"?');
    expect(err).toContain('The file name is the slug.');
    expect(err).toContain('A secret is written here in plain text.');
    // Mistakes that only a store or a gateway can find are reported once the files themselves are valid.
    const later = await refused({
      'workspaces/default/providers/none.json': '{\n  "provider": "no-such-provider"\n}\n',
      'workspaces/default/providers/main.json': { provider: 'echo' },
      'workspaces/default/configs/bad.json': '{\n  "config": {\n    "provider": "@main",\n    "retyr": {}\n  }\n}\n',
      'workspaces/default/guardrails/secret.json': {
        checks: [
          {
            id: 'default.webhook',
            parameters: { webhookURL: 'https://example.com', secretHeaders: { authorization: 'abc' } },
          },
        ],
      },
    });
    expect(later).toContain('folder/workspaces/default/providers/none.json:2:15  /provider');
    expect(later).toContain('folder/workspaces/default/configs/bad.json:4:5  /config/retyr');
    expect(later).toMatch(
      /folder\/workspaces\/default\/guardrails\/secret\.json:\d+:\d+ {2}\/checks\/0\/parameters\/secretHeaders\/authorization/,
    );
    const unknown = await refused({
      'workspaces/default/providers/main.json': { provider: 'echo' },
      'workspaces/default/prompts/greet.json':
        '{\n  "string": "Hello",\n  "parameters": {},\n  "virtual_key": "@main",\n  "collection_id": "nowhere"\n}\n',
      'workspaces/default/partials/outer.json': { string: '{{>missing}}' },
      'workspaces/elsewhere/configs/x.json': { config: { provider: 'echo' } },
    });
    expect(unknown).toContain('There is no partial "missing" in the folder or in the store.');
    expect(unknown).toContain('greet.json:5:20  /collection_id');
    expect(unknown).toContain('There is no workspace "elsewhere".');
  });

  it('is refused for links, unexpected names, clashing names, and files that are too large', async () => {
    const outside = writeFiles({ 'secret.json': { provider: 'echo' } });
    const at = 'workspaces/default';
    const err = await refused(
      {
        [`${at}/providers/Main.json`]: { provider: 'echo' },
        [`${at}/providers/main.json`]: { provider: 'echo' },
        [`${at}/providers/%2e%2e%2fx.json`]: { provider: 'echo' },
        [`${at}/providers/notes.txt`]: 'x',
        [`${at}/providers/deep/x.json`]: { provider: 'echo' },
        [`${at}/provider/x.json`]: { provider: 'echo' },
        [`${at}/virtual-keys/Main.json`]: { provider: 'echo' },
        [`${at}/collections/a.json`]: { name: 'Same' },
        [`${at}/collections/b.json`]: { name: 'Same' },
        [`${at}/guardrails/both.json`]: {
          checks: [{ id: 'default.contains', parameters: { words: ['x'], operator: 'none' } }],
        },
        'organisation/guardrails/both.json': {
          checks: [{ id: 'default.contains', parameters: { words: ['x'], operator: 'none' } }],
        },
        [`${at}/configs/huge.json`]: JSON.stringify({ config: { provider: 'echo' }, name: 'x'.repeat(1024 * 1024) }),
        [`${at}/configs/latin.json`]: { config: {} },
        // Neither a record nor a mistake.
        [`${at}/configs/latin.route.yaml`]: 'config: latin.json',
        'workspace/x.json': {},
      },
      (folder) => {
        symlinkSync(path.join(outside, 'secret.json'), path.join(folder, at, 'providers/link.json'));
        symlinkSync(outside, path.join(folder, at, 'prompts'));
      },
    );
    for (const text of [
      `${at}/providers/link.json: This is a symbolic link`,
      `${at}/prompts: This is a symbolic link`,
      `${at}/providers/main.json: Its name differs from "Main.json" only in upper and lower case`,
      `${at}/providers/%2e%2e%2fx.json: The file name is not a valid slug.`,
      `${at}/providers/notes.txt: This file does not describe a record.`,
      `${at}/providers/deep: There must be no folder here.`,
      `${at}/provider: There is no kind of record with this name. Did you mean "providers"?`,
      'workspace: There is no kind of record with this name. Did you mean "workspaces"?',
      `${at}/configs/huge.json: The file has `,
      `folder/${at}/providers/Main.json already has this name.`,
      `folder/${at}/collections/a.json already has this name.`,
      'folder/organisation/guardrails/both.json already has this name, for all workspaces.',
    ])
      expect(err).toContain(text);
    expect(err).not.toContain('route.yaml');
  });

  it('is refused for circular references', async () => {
    const err = await refused({
      'workspaces/default/partials/a.json': { string: '{{>b}}' },
      'workspaces/default/partials/b.json': { string: '{{>a}}' },
    });
    expect(err).toContain(
      'workspaces/default/partials/a, which needs workspaces/default/partials/b, which needs workspaces/default/partials/a',
    );
  });

  it.each([
    ['gone', 'gw: There is no folder gone.'],
    ['file.json', 'gw: file.json is a file.'],
  ])('is refused if it is not a folder: %s', async (name, fact) => {
    const cwd = temporaryFolder({ 'file.json': {} });
    const err = `${fact} Name a folder that gw export has written.\n`;
    expect(await gwFor(gateway(), cwd, ['apply', name])).toEqual({ code: 2, out: '', err });
  });

  it('is refused with more than 10,000 files', async () => {
    const cwd = temporaryFolder();
    const folder = writeFiles(
      { ...settings, 'workspaces/default/providers/p0.json': { provider: 'echo' } },
      path.join(cwd, 'folder'),
    );
    const providers = path.join(folder, 'workspaces/default/providers');
    // Hard links to one file, because writing ten thousand files takes several times as long.
    for (let at = 1; at <= 10_000; at += 1)
      linkSync(path.join(providers, 'p0.json'), path.join(providers, `p${at}.json`));
    expect(await gwFor(gateway(), cwd, ['apply', 'folder'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('folder has more than 10000 files.'),
    });
  });

  it('is refused with the scopes that the key lacks before anything is changed', async () => {
    const cwd = temporaryFolder();
    writeFiles(
      { ...settings, 'workspaces/default/providers/own.json': { provider: 'echo' } },
      path.join(cwd, 'folder'),
    );
    const run = async (scopes: readonly string[]): Promise<GwRun> => {
      const body = { name: 'ci', scopes, workspace_id: 'default' };
      const { key } = await control(gateway(), 'POST /api-keys/workspace/service', { body });
      return gwFor(gateway(), cwd, ['apply', 'folder'], key);
    };
    const reading = ['workspaces.list', 'workspaces.read', 'providers.list', 'providers.read', 'applies.read'];
    expect(await run(['providers.list'])).toEqual({
      ...{ code: 1, out: '' },
      err: expect.stringContaining('it lacks applies.read, providers.read, workspaces.list, workspaces.read.'),
    });
    expect(await run(reading)).toEqual({
      ...{ code: 1, out: '' },
      err: expect.stringContaining('it lacks applies.create, applies.update, providers.create.'),
    });
    expect(await run([...reading, 'applies.create', 'applies.update', 'providers.create'])).toMatchObject({ code: 0 });
    writeFiles(
      { 'workspaces/default.json': {}, 'organisation/keys/x.json': { name: 'x', scopes: [] } },
      path.join(cwd, 'folder'),
    );
    expect(await run(reading)).toMatchObject({
      code: 1,
      err: expect.stringContaining('organisation/keys/x.json: Your key reaches only the workspace "default".'),
    });
  });

  it('is applied once if two commands apply it at the same time', async () => {
    const cwd = temporaryFolder();
    const files = Array.from({ length: 20 }, (_, at) => [
      `workspaces/default/collections/c${at}.json`,
      { name: `Two ${at}` },
    ]);
    writeFiles({ 'gatewright.json': { name: 'twice' }, ...Object.fromEntries(files) }, path.join(cwd, 'folder'));
    const runs = await Promise.all([1, 2].map(() => gwFor(gateway(), cwd, ['apply', 'folder'])));
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(runs.find(({ code }) => code === 1)?.err).toContain('Another apply of "twice" has started meanwhile.');
    const { data } = (await control(gateway(), 'GET /collections?page_size=1000')) as unknown as {
      data: { name: string }[];
    };
    const made = data.map(({ name }) => name).filter((name) => name.startsWith('Two '));
    expect(made).toHaveLength(20);
    expect(await gwFor(gateway(), cwd, ['apply', 'folder'])).toMatchObject({
      code: 0,
      out: 'There is nothing to do.\n',
    });
  });
});

describe('a gateway that is killed during an apply', () => {
  it('leaves a plan that the next run continues, without creating anything twice', async () => {
    const cwd = temporaryFolder();
    const files = Array.from({ length: 40 }, (_, at) => [
      `workspaces/default/collections/c${at}.json`,
      { name: `Name ${at}` },
    ]);
    writeFiles({ ...settings, ...Object.fromEntries(files) }, path.join(cwd, 'folder'));
    const store = path.join(cwd, 'gateway.db');
    const first = await serveStore(store);
    const ask = globalThis.fetch;
    let made = 0;
    vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
      if (request[1]?.method === 'POST' && String(request[0]).endsWith('/collections')) {
        made += 1;
        // It is unknown whether the gateway has processed this request.
        if (made === 20) setTimeout(() => first.signal('SIGKILL'), 2);
      }
      return ask(...request);
    });
    const { code, err } = await gwFor(first, cwd, ['apply', 'folder']);
    vi.unstubAllGlobals();
    expect(code).toBe(1);
    expect(err).toMatch(/gw: workspaces\/default\/collections\/c\d+ failed\.\n/);
    expect(err).toMatch(/gw: \d+ of 40 are done\. Not done:\n/);
    const second = await serveStore(store);
    expect(await gwFor(second, cwd, ['apply', 'folder'])).toMatchObject({ code: 0, err: '' });
    expect(await control(second, 'GET /collections?page_size=1000')).toMatchObject({ total: 40 });
    expect(await gwFor(second, cwd, ['apply', 'folder'])).toMatchObject({ code: 0, out: 'There is nothing to do.\n' });
    writeFiles({}, cwd);
    const emptied = temporaryFolder();
    writeFiles({ ...settings, 'workspaces/default/labels/x.json': { name: 'x' } }, path.join(emptied, 'folder'));
    expect(await gwFor(second, emptied, ['apply', 'folder', '--prune'])).toMatchObject({ code: 0, err: '' });
    expect(await control(second, 'GET /collections?page_size=1000')).toMatchObject({ total: 0 });
  });
});

describe('another organisation in the same store', () => {
  it('keeps its own records under the same names, and loses none to an apply', async () => {
    const cwd = temporaryFolder();
    const store = path.join(cwd, 'gateway.db');
    const theirs = await secondOrganisation(store, adminKey);
    const gateway = await serveStore(store);
    const files = { 'workspaces/default/providers/main.json': { provider: 'echo', note: 'ours' } };
    writeFiles({ ...settings, ...files, 'workspaces/own.json': {} }, path.join(cwd, 'folder'));
    expect(await gwFor(gateway, cwd, ['apply', 'folder'])).toMatchObject({ code: 0 });
    writeFiles({ ...settings, 'workspaces/own.json': {} }, path.join(cwd, 'other'));
    const apply = () => gwFor(gateway, cwd, ['apply', 'other', '--prune'], theirs);
    expect(await apply()).toMatchObject({ code: 0, out: expect.stringContaining('workspaces/own: create') });
    expect(await apply()).toMatchObject({ code: 0, out: 'There is nothing to do.\n' });
    expect(await control(gateway, 'GET /providers/main')).toMatchObject({ note: 'ours' });
    expect(await control(gateway, 'GET /workspaces')).toMatchObject({ total: 2 });
    expect(await gwFor(gateway, cwd, ['export', 'copy'], theirs)).toMatchObject({ code: 0 });
    expect(Object.keys(readFiles(path.join(cwd, 'copy')))).not.toContain('workspaces/default/providers/main.json');
  });
});

describe('an export', () => {
  it('writes nothing outside its folder if the gateway answers with a malicious slug', async () => {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://gateway');
      const page = (data: readonly object[]) => ({ object: 'list', total: data.length, data });
      const answers: Readonly<Record<string, object>> = {
        '/v1/caller': {
          ...{
            object: 'caller',
            key_id: 'k',
            organisation_id: 'o',
            workspace_id: null,
            workspace_slug: null,
            reach: 'organisation',
          },
          scopes: [
            'workspaces',
            'integrations',
            'providers',
            'virtual_keys',
            'guardrails',
            'prompts',
            'configs',
            'virtual_models',
            'keys',
            'policies',
          ].flatMap((name) => [`${name}.list`, `${name}.read`]),
        },
        '/v1/workspaces': page([{ id: 'w', slug: '../../escaped', name: 'x' }]),
        '/v1/workspaces/w': { id: 'w', slug: '../../escaped', name: 'x' },
      };
      const isStranger = request.headers['x-gw-api-key'] === undefined;
      response.writeHead(isStranger ? 401 : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(isStranger ? { error: { code: 'AB05', message: 'x' } } : (answers[url.pathname] ?? page([]))),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const cwd = temporaryFolder();
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await gwFor({ origin }, cwd, ['export', 'folder'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('whose slug cannot be a file name'),
    });
    expect(readFiles(cwd)).toEqual({});
  });

  it('writes into a folder that has files only with --force', async () => {
    const cwd = temporaryFolder();
    const outside = writeFiles({ 'kept.json': 'kept' });
    writeFiles({ 'gatewright.json': { name: 'mine' }, 'other.md': 'x' }, path.join(cwd, 'folder'));
    symlinkSync(path.join(outside, 'kept.json'), path.join(cwd, 'folder', 'workspaces.json'));
    expect(await gwFor(gateway(), cwd, ['export', 'folder'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--force'),
    });
    expect(await gwFor(gateway(), cwd, ['export', 'folder', '--force'])).toMatchObject({ code: 0 });
    expect(readFiles(path.join(cwd, 'folder'))).toMatchObject({
      'gatewright.json': '{\n  "name": "mine"\n}\n',
      'other.md': 'x',
    });
    expect(readFiles(outside)).toEqual({ 'kept.json': 'kept' });
  });

  it('writes nothing through a link that leads out of the folder', async () => {
    const cwd = temporaryFolder();
    const outside = temporaryFolder();
    writeFiles({ 'gatewright.json': { name: 'mine' } }, path.join(cwd, 'folder'));
    symlinkSync(outside, path.join(cwd, 'folder', 'workspaces'));
    expect(await gwFor(gateway(), cwd, ['export', 'folder', '--force'])).toEqual({
      code: 2,
      out: '',
      err: 'gw: workspaces is a link that leads out of the folder. Remove the link.\n',
    });
    expect(readFiles(outside)).toEqual({});
    expect(readFiles(cwd)).toEqual({ 'folder/gatewright.json': expect.stringContaining('mine') });
  });

  it('writes nothing if a file is in the way of a folder', async () => {
    const cwd = temporaryFolder();
    writeFiles({ 'folder/workspaces': 'mine' }, cwd);
    expect(await gwFor(gateway(), cwd, ['export', 'folder', '--force'])).toEqual({
      code: 2,
      out: '',
      err: 'gw: Nothing can be written to "folder": a file is in the way. Name another folder.\n',
    });
    expect(readFiles(cwd)).toEqual({ 'folder/workspaces': 'mine' });
  });

  it.skipIf(process.platform !== 'linux')('fails with an error if its folder cannot be created', async () => {
    expect(await gwFor(gateway(), temporaryFolder(), ['export', '/proc/nowhere'])).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^gw: Nothing can be written to "\/proc\/nowhere": [^\n]+ Name another folder\.\n$/),
    });
  });
});

describe('the name of a folder', () => {
  it.each(['gatewright.yaml', 'gatewright.yml', 'gatewright.jsonc'])(
    'is read by gw apply and gw export from %s',
    async (settingsFile) => {
      const cwd = temporaryFolder();
      const name = settingsFile.replace('.', '-');
      const text = settingsFile.endsWith('.jsonc') ? `{ "name": "${name}" } // ours` : `# ours\nname: ${name}\n`;
      writeFiles({ [settingsFile]: text, [`workspaces/${name}.yaml`]: `name: ${name}\n` }, path.join(cwd, 'folder'));
      expect(await gwFor(gateway(), cwd, ['apply', 'folder'])).toMatchObject({ code: 0, err: '' });
      expect(await control(gateway(), 'GET /applies')).toMatchObject({
        data: expect.arrayContaining([expect.objectContaining({ slug: name })]),
      });
      expect(await gwFor(gateway(), cwd, ['export', 'folder', '--force'])).toMatchObject({
        code: 2,
        err: expect.stringContaining(`${settingsFile} describes the same record as gatewright.json`),
      });
    },
  );
});

describe('a comparison of secrets', () => {
  const secret = 'sk-the-secret-of-this-record-of-this-test';

  it('is refused without the right to change the record, is audited if it fails, and is limited to 100 guesses', async () => {
    const body = { name: 'x', slug: 'guessed', provider: 'openai', credential: { api_key: secret } };
    await control(gateway(), 'POST /providers', { body });
    const made = { name: 'reader', scopes: ['providers.read', 'providers.list'], workspace_id: 'default' };
    const { key } = await control(gateway(), 'POST /api-keys/workspace/service', { body: made });
    const compare = (value: string, by: string = adminKey) =>
      callControl(gateway(), 'POST /providers/guessed/compare', {
        key: by,
        body: { values: { '/credential/api_key': value } },
      });
    expect(await compare(secret, key)).toMatchObject({ status: 403 });
    const audits = await countAudits(gateway());
    expect(await compare(secret)).toMatchObject({ status: 200, body: { equal: { '/credential/api_key': true } } });
    expect(await countAudits(gateway())).toBe(audits);
    expect(await compare('guess 0')).toMatchObject({ status: 200, body: { equal: { '/credential/api_key': false } } });
    expect(await countAudits(gateway())).toBe(audits + 1);
    for (let at = 1; at < 100; at += 1) await compare(`guess ${at}`);
    expect(await compare('guess 100')).toMatchObject({
      status: 429,
      text: expect.stringContaining('were compared with 100 other values'),
    });
    expect((await compare(secret)).status).toBe(429);
  });
});
