import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../support/commands/run-command.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { changingFolder } from '../../support/gateways/changing-folder.ts';
import { startGateway, writeFolder } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
  upstream.handle((call) => call.json(openaiAnswer({ text: 'yes' })));
});
afterAll(() => upstream.close());

const config = (timeout: number): string =>
  [
    '# The only target',
    'provider: openai',
    'api_key: ${env:KEY}',
    `custom_host: ${upstream.origin}/v1`,
    `request_timeout: ${timeout}`,
    '',
  ].join('\n');

describe('a gateway with YAML files', () => {
  it('serves them, follows their changes, and keeps the last good plan', async (context) => {
    const { write, serve, ready, label, follows, count } = changingFolder(context, {
      'gateway.yaml': 'configs: configs # here\ndefault_config: main\n',
      'configs/main.yaml': '',
    });
    write({ 'configs/main.yaml': config(1000) });
    await serve();
    expect(await label()).toMatch(/^main@/);
    await follows(() => write({ 'configs/main.yaml': config(2000) }));
    write({ 'configs/main.yaml': `${config(3000)}request_timeout: 4\n` });
    await expect.poll(async () => (await ready()).status).toBe('degraded');
    expect(count('error[duplicate-key]')).toBeGreaterThan(0);
    expect(await label()).toMatch(/^main@/);
    await follows(() => write({ 'configs/main.yaml': config(5000) }));
  });

  it('is found by gw health at the address in its gateway file', async () => {
    const gateway = await startGateway({
      files: { 'gateway.yml': 'configs: configs\n', 'configs/a.yml': 'provider: echo\n' },
    });
    const cwd = temporaryFolder({ 'gateway.yml': `x: &p ${new URL(gateway.origin).port}\nlisten: {port: *p}\n` });
    const { stdout } = await runCommand([process.execPath, installedGw, 'health', '--timeout-ms', '20000'], {
      cwd,
      env: { PATH: process.env.PATH },
    });
    await gateway.stop();
    expect(stdout).toBe(`The gateway at ${gateway.origin} is ready.\n`);
  });

  it('loads the YAML parser, which a gateway with JSON files does not', async () => {
    const note = `import { appendFileSync } from 'node:fs'; import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { appendFileSync('loaded.txt', url + '\\n'); return next(url, context); } });`;
    const yamlModules = async (files: Readonly<Record<string, unknown>>): Promise<number> => {
      const gateway = await startGateway({
        files,
        command: [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(note)}`, installedGw],
      });
      const loaded = readFileSync(path.join(gateway.folder, 'loaded.txt'), 'utf8').split('\n');
      await gateway.stop();
      return loaded.filter((url) => /\/node_modules\/yaml\//.test(url)).length;
    };
    expect(
      await yamlModules({ 'gateway.json': { configs: 'configs' }, 'configs/a.jsonc': '{"provider": "echo",}' }),
    ).toBe(0);
    expect(
      await yamlModules({ 'gateway.json': { configs: 'configs' }, 'configs/a.yaml': 'provider: echo' }),
    ).toBeGreaterThan(0);
  });
});

describe('two gateway files', () => {
  const files = { 'gateway.json': '{}', 'gateway.yaml': '{}\n', 'a.json': { provider: 'echo' } };
  const message = 'There are two gateway files, gateway.json and gateway.yaml.';

  it.each([['check', 'a.json'], ['explain', 'a.json'], ['serve'], ['doctor'], ['models', 'list'], ['health']])(
    'are rejected by gw %s with both names',
    async (...argv) => {
      const { code, out, err } = await runGw(temporaryFolder(files), argv);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(message);
    },
  );

  it('are no problem if one is named', async () => {
    const { code } = await runGw(temporaryFolder(files), ['check', 'a.json', '--config', 'gateway.yaml']);
    expect(code).toBe(0);
  });
});

describe('two configs with the same name', () => {
  it.for([
    ['configs/main.yaml', 'configs/main.json'],
    ['configs/main.json', 'configs/main.yaml'],
  ] as const)('leave %s in service when %s is added, until one of them is removed', async (files, context) => {
    const [served, newcomer] = files;
    const folder = changingFolder(context, { 'gateway.yaml': 'configs: configs\ndefault_config: main\n' });
    folder.write({ [served]: '{"provider": "echo", "request_timeout": 1000}' });
    await folder.serve();
    const before = await folder.label();
    folder.write({ [newcomer]: '{"provider": "echo", "request_timeout": 2000}' });
    await expect.poll(async () => (await folder.ready()).status).toBe('degraded');
    expect(await folder.label()).toBe(before);
    const reason = `The plan "main" already comes from ${path.basename(served)}. Give one of them another name.`;
    expect((await folder.ready()).refused).toEqual([{ file: path.basename(newcomer), reason }]);
    expect(folder.count(`${newcomer}: ${reason}\n`)).toBe(1);
    await folder.follows(() => folder.rename(served, `${served}.old`));
    expect(await folder.ready()).toMatchObject({ status: 'ready', refused: [] });
  });

  it('are an error of gw check that names both files', async () => {
    const cwd = writeFolder({ 'a.json': { provider: 'echo' }, 'a.yaml': 'provider: echo\n' }, temporaryFolder());
    const { code, out } = await runGw(cwd, ['check', '.']);
    expect(code).toBe(1);
    expect(out).toContain('error[same-name]: The config a.json also has the name "a"');
    expect(out).toContain('┌─ a.yaml:1:1');
    expect(out).toContain(
      'hint: Rename one of the two files, or remove it: without a "name" a config has the name of its file.',
    );
    const compiled = await runGw(cwd, ['compile', '.', '--out', 'plans']);
    expect(compiled.code).toBe(1);
  });
});

describe('a request file in YAML', () => {
  const files = {
    'a.yml': 'provider: openai\napi_key: ${env:KEY}\n',
    'request.yaml': '# try it\nmetadata: {tier: gold}\nupstream:\n  - status: 529\n',
    'wrong.yaml': 'metadata:\n\ttier: gold\n',
    'wrong.jsonc': '{ "seed": }',
    'list.yaml': '- 1\n',
  };

  it('is accepted', async () => {
    const { code, out } = await runGw(temporaryFolder(files), ['explain', 'a.yml', '--request', 'request.yaml']);
    expect(code).toBe(0);
    expect(out).toContain('529');
  });

  it.each([
    ['wrong.yaml', 'wrong.yaml:2:1: This is not valid YAML: it is indented by a tab.'],
    ['wrong.jsonc', 'wrong.jsonc:1:11: This is not valid JSON: a value is expected here.'],
    ['list.yaml', 'list.yaml contains no object.'],
  ])('%s is rejected at the place of its mistake', async (file, message) => {
    const { code, err } = await runGw(temporaryFolder(files), ['explain', 'a.yml', '--request', file]);
    expect([code, err.slice(0, message.length + 4)]).toEqual([2, `gw: ${message}`]);
  });
});
