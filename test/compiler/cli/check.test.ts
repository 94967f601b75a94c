import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { providerHint } from '../../../schema/text/provider-hint.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const good = { provider: 'echo' };
const bad = '{\n  "provider": "ecko"\n}\n';

describe('gw check', () => {
  it('reports nothing for a valid config', async () => {
    const cwd = temporaryFolder({ 'good.json': good });
    expect(await runGw(cwd, ['check', 'good.json'])).toEqual({ code: 0, out: '1 file, nothing to report.\n', err: '' });
  });

  it('shows each mistake with its place and a hint, and exits with 1', async () => {
    const { code, out } = await runGw(temporaryFolder({ 'bad.json': bad }), ['check', 'bad.json']);
    expect(code).toBe(1);
    expect(out).toContain('error[unknown-provider]');
    expect(out).toContain('bad.json:2:15  /provider');
    expect(out).toContain('= hint: Did you mean "echo"?');
    expect(out.endsWith('\n\n1 error in 1 file.\nFor details of a code, run gw explain --code CODE.\n')).toBe(true);
  });

  it('names each variable that still has an example value, with its places, and counts no warning', async () => {
    vi.stubEnv('OWN_KEY', 'replace-me');
    vi.stubEnv('SET_KEY', 'sk-1');
    onTestFinished(() => void vi.unstubAllEnvs());
    const config = (name: string): object => ({ provider: 'openai', api_key: `\${env:${name}}` });
    const cwd = temporaryFolder({
      'gateway.json': { providers: { main: { provider: 'openai', credential: { api_key: '${env:OWN_KEY}' } } } },
      'configs/a.json': config('OWN_KEY'),
      'configs/b.json': config('SET_KEY'),
    });
    const { code, out, err } = await runGw(cwd, ['check', 'configs', '--max-warnings', '0']);
    expect([code, out]).toEqual([0, '2 files, nothing to report.\n']);
    expect(err).toBe(
      'gw: The variable OWN_KEY still has the value "replace-me" of an example. It is used in gateway.json:6, configs/a.json:3. Give the variable OWN_KEY the value that is meant, and start the gateway again.\n',
    );
    const itself = await runGw(cwd, ['check', '--config', 'gateway.json']);
    expect(itself.err).toContain('It is used in gateway.json:6. Give');
    const many = Object.fromEntries([1, 2, 3, 4, 5, 6].map((at) => [`${at}.json`, config('OWN_KEY')]));
    expect((await runGw(temporaryFolder(many), ['check', '.'])).err).toContain('3.json:3, 4.json:3 and 2 more.');
  });

  it('explains "cache" in a gateway file, where it means something other than in a config', async () => {
    const cwd = temporaryFolder({ 'gateway.json': { cache: true } });
    const { code, out } = await runGw(cwd, ['check', '--config', 'gateway.json']);
    expect(code).toBe(1);
    expect(out).toContain('hint: Remove it, or write { "url": "redis://localhost:6379" }');
  });

  it('checks a gateway file without configs on its own', async () => {
    const cwd = temporaryFolder({
      'gateway.json': { providers: { main: { provider: 'echo' } }, models: { fast: '@main/any' } },
      'wrong.json': { providers: { main: { provider: 'ecko' } }, configs: 'none' },
    });
    const sound = await runGw(cwd, ['check', '--config', 'gateway.json']);
    expect(sound).toEqual({ code: 0, out: '1 file, nothing to report.\n', err: '' });
    const wrong = await runGw(cwd, ['check', '--config', 'wrong.json']);
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain('wrong.json:4:19  /providers/main/provider');
    const asConfig = await runGw(temporaryFolder({ 'own.json': { models: {} } }), ['check', 'own.json']);
    expect(asConfig.out).toContain('gw check --config own.json');
  });

  it('skips a gateway file of another name in a folder, and names it on stderr', async () => {
    const local = { configs: 'configs', providers: {} };
    const folder = { 'local.json': local, 'configs/good.json': good };
    const { code, out, err } = await runGw(temporaryFolder(folder), ['check', '.', '--max-warnings', '0']);
    expect([code, out]).toEqual([0, '1 file, nothing to report.\n']);
    expect(err).toBe(
      'gw: local.json is skipped. This is a gateway file, not a routing config. Check it, with the configs that it names: gw check --config local.json\n',
    );
    const named = await runGw(temporaryFolder(folder), ['check', 'local.json', 'configs']);
    expect([named.code, named.err]).toEqual([1, '']);
    const asGateway = temporaryFolder({ 'local.json': good });
    expect((await runGw(asGateway, ['check', '--config', 'local.json'])).code).toBe(1);
  });

  it('recognises a gateway file that is checked as a config, even if a member of it is misspelt', async () => {
    const codes = async (gateway: object, args: readonly string[]): Promise<readonly string[]> => {
      const { out } = await runGw(temporaryFolder({ 'gateway.json': gateway }), ['check', ...args, '--format', 'json']);
      const { files }: { files: { diagnostics: { code: string }[] }[] } = JSON.parse(out);
      return files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
    };
    const right = { providers: { own: { provider: 'echo' } }, models: { any: '@own/any' } };
    const misspelt = { providers: right.providers, modles: right.models };
    expect(await codes(right, ['gateway.json'])).toEqual(['wrong-file']);
    expect(await codes(misspelt, ['./gateway.json'])).toEqual(['wrong-file', 'unknown-key']);
    expect(await codes(misspelt, ['--config', 'gateway.json'])).toEqual(['unknown-key']);
  });

  it('reports a gateway file in the folder of configs that the gateway serves', async () => {
    const cwd = temporaryFolder({ 'gateway.json': { configs: 'configs' }, 'configs/local.json': { configs: 'more' } });
    for (const paths of [['configs'], ['.'], ['--config', 'gateway.json']]) {
      const { code, out, err } = await runGw(cwd, ['check', ...paths]);
      expect([code, err, out.includes('error[wrong-file]')]).toEqual([1, '', true]);
    }
  });

  it('checks the configs of a gateway file along with it', async () => {
    const cwd = temporaryFolder({
      'here/gateway.json': { configs: 'configs', default_config: 'none' },
      'here/configs/bad.json': bad,
      'here/configs/good.json': good,
    });
    const { code, out } = await runGw(cwd, ['check', '--config', 'here/gateway.json']);
    expect(code).toBe(1);
    expect(out).toContain('here/configs/bad.json:2:15  /provider');
    expect(out).toContain('error[unknown-config]');
    expect(out).toContain('2 errors in 3 files.');
  });

  it('names a file outside the working folder as it was given', async () => {
    const folder = temporaryFolder({ 'bad.json': bad, 'configs/good.json': good });
    const file = path.join(folder, 'bad.json');
    const { out } = await runGw(path.join(folder, 'configs'), ['check', file]);
    expect(out).toContain(`${file}:2:15  /provider`);
  });

  it('names the line that is not UTF-8 in a file with another encoding', async () => {
    const cwd = temporaryFolder({ 'b.json': good });
    writeFileSync(path.join(cwd, 'a.json'), Buffer.from('{\n  "name": "Zürich", "provider": "echo" }', 'latin1'));
    const { code, out, err } = await runGw(cwd, ['check', '.']);
    expect([code, err]).toEqual([1, '']);
    expect(out).toContain('error[unreadable-file]: The file "a.json" cannot be read: line 2 is not in UTF-8.');
    expect(out).toContain('= hint: Save it as UTF-8.');
    expect(out.endsWith('\n\n1 error in 2 files.\nFor details of a code, run gw explain --code CODE.\n')).toBe(true);
  });

  it('checks the other files of a folder if some cannot be read, and reports each of those', async () => {
    const cwd = temporaryFolder({ 'configs/b.json': bad, 'configs/d.json': good, 'configs/e/f.json': bad });
    symlinkSync('nowhere.json', path.join(cwd, 'configs/a.json'));
    symlinkSync('c.json', path.join(cwd, 'configs/c.json'));
    writeFileSync(path.join(cwd, 'configs/z.json'), Buffer.from([0xff, 0xfe, 0x7b]));
    for (const paths of [['configs'], ['configs/z.json', 'configs']]) {
      const { code, out } = await runGw(cwd, ['check', ...paths, '--format', 'json']);
      const report: { files: { file: string; diagnostics: { code: string; file: string }[] }[] } = JSON.parse(out);
      expect(code).toBe(1);
      expect(report.files.map(({ file, diagnostics: [found] }) => `${file} ${found?.code}`).toSorted()).toEqual([
        'configs/a.json unreadable-file',
        'configs/b.json unknown-provider',
        'configs/c.json unreadable-file',
        'configs/d.json undefined',
        'configs/e/f.json unknown-provider',
        'configs/z.json unreadable-file',
      ]);
    }
  });

  it.skipIf(process.platform === 'win32')('neither waits for a pipe nor reads a device in a folder', async () => {
    const cwd = temporaryFolder({ 'configs/good.json': good });
    execFileSync('mkfifo', [path.join(cwd, 'configs/pipe.json')]);
    symlinkSync('/dev/zero', path.join(cwd, 'configs/zero.json'));
    const { code, out } = await runGw(cwd, ['check', 'configs']);
    expect(code).toBe(1);
    for (const file of ['pipe', 'zero'])
      expect(out).toContain(
        `error[unreadable-file]: The file "configs/${file}.json" cannot be read: it is a pipe or a device.`,
      );
    expect(out.endsWith('\n\n2 errors in 3 files.\nFor details of a code, run gw explain --code CODE.\n')).toBe(true);
  });

  it('checks the configs in a folder and its sub-folders, but not plans, gateway files or packages', async () => {
    const cwd = temporaryFolder({
      'configs/b.jsonc': '{ /* a comment */ "provider": "echo" }',
      'configs/a.json': good,
      'configs/old.plan.json': '{}',
      'configs/gateway.json': {},
      'configs/deep/c.json': bad,
      'configs/deep/er/d.json': good,
      'configs/deep/package.json': {},
      'configs/package.json': {},
      'configs/package-lock.json': {},
      'configs/deep/gateway.json': { listen: {} },
      'configs/.hidden/e.json': bad,
      'configs/node_modules/f/package.json': {},
      'configs/notes.txt': 'no',
    });
    const { out } = await runGw(cwd, ['check', 'configs', '--format', 'json', '--config', 'configs/gateway.json']);
    const report: { files: { file: string }[] } = JSON.parse(out);
    expect(report.files.map(({ file }) => file)).toEqual([
      'configs/a.json',
      'configs/b.jsonc',
      'configs/deep/c.json',
      'configs/deep/er/d.json',
    ]);
  });

  it('reads each sub-folder once, no matter how many links lead to it', async () => {
    const cwd = temporaryFolder({ 'configs/deep/a.json': good });
    symlinkSync('..', path.join(cwd, 'configs/deep/up'));
    symlinkSync('deep', path.join(cwd, 'configs/too'));
    expect((await runGw(cwd, ['check', 'configs'])).out).toBe('1 file, nothing to report.\n');
  });

  it.each([
    ['itself', 'a.json', 'it is a symbolic link that leads back to itself'],
    ['nothing', 'gone.json', 'there is no such file or folder'],
  ])('reports a link that leads to %s, in a folder too', async (_what, to, why) => {
    const cwd = temporaryFolder({ 'configs/good.json': good });
    symlinkSync(to, path.join(cwd, 'configs/a.json'));
    const { code, out, err } = await runGw(cwd, ['check', 'configs']);
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(/^error\[unreadable-file\]: .*configs\/a\.json".*\n/);
    if (to === 'a.json') expect((await runGw(cwd, ['check', 'configs/a.json'])).out).toContain(why);
  });

  it('exits with 1 if there are more warnings than --max-warnings allows', async () => {
    const cwd = temporaryFolder({ 'a.json': { ...good, weight: 2, api_key: '${env:KEY}' } });
    expect(await runGw(cwd, ['check', 'a.json'])).toMatchObject({ code: 0 });
    expect(await runGw(cwd, ['check', 'a.json', '--max-warnings', '2'])).toMatchObject({ code: 0 });
    const { code, out } = await runGw(cwd, ['check', 'a.json', '--max-warnings', '1']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /\n2 warnings in 1 file\.\nFor details of a code, run gw explain --code CODE\.\nAt most 1 warning allowed\.\n$/,
    );
    expect(await runGw(cwd, ['check', 'a.json', '--max-warnings=0', '--format', 'json'])).toMatchObject({ code: 1 });
  });

  it('warns with --portable about what other gateways do not support', async () => {
    const cwd = temporaryFolder({ 'a.json': { ...good, deadline_ms: 1000 } });
    expect((await runGw(cwd, ['check', 'a.json', '--max-warnings', '0'])).code).toBe(0);
    const { code, out } = await runGw(cwd, ['check', 'a.json', '--portable']);
    expect([code, out]).toEqual([0, expect.stringContaining('warning[not-portable]')]);
    expect((await runGw(cwd, ['check', 'a.json', '--portable', '--max-warnings', '0'])).code).toBe(1);
    expect((await runGw(cwd, ['check', '--help'])).out).toContain('--portable');
  });

  it('reports two configs with the same name in one folder, but not in different folders', async () => {
    const named = '{\n  "provider": "echo",\n  "name": "prod"\n}\n';
    const cwd = temporaryFolder({ 'a/one.json': named, 'a/prod.json': good, 'b/prod.json': good, 'c/two.json': named });
    const { code, out } = await runGw(cwd, ['check', 'a', 'b', 'c']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^error\[same-name\]: The config a\/one\.json also has the name "prod", .*\n +┌─ a\/prod\.json:1:1/,
    );
    expect(out).toContain('hint: Write a different "name" in a/one.json.\n');
    expect(out).toContain('1 error in 4 files.');
    expect((await runGw(cwd, ['check', 'b', 'c'])).code).toBe(0);
    const compiled = await runGw(cwd, ['compile', 'a', '--out', 'out']);
    expect(compiled).toMatchObject({ code: 1, out: expect.stringContaining('Nothing was written.') });
  });

  it('says which characters of a name count if that is why two configs have the same one', async () => {
    const cwd = temporaryFolder({ 'a/日本.json': good, 'a/東京.json': good });
    expect((await runGw(cwd, ['check', 'a'])).out).toContain(
      'also has the name "plan", but a gateway serves only one config of a name.',
    );
    expect((await runGw(cwd, ['check', 'a'])).out).toContain(
      'has the name of its file. Of a name, only the letters a to z, digits, ".", "_" and "-" count.\n',
    );
  });

  it('checks a file once, no matter how often it is named', async () => {
    const { out } = await runGw(temporaryFolder({ 'a.json': good }), ['check', 'a.json', '.', './a.json']);
    expect(out).toBe('1 file, nothing to report.\n');
  });

  it('prints one JSON document with --format=json', async () => {
    const { code, out } = await runGw(temporaryFolder({ 'bad.json': bad }), ['check', 'bad.json', '--format=json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      files: [{ file: 'bad.json', plan: null, diagnostics: [{ code: 'unknown-provider', pointer: '/provider' }] }],
      errors: 1,
      warnings: 0,
    });
  });

  it('prints the same output twice', async () => {
    const cwd = temporaryFolder({ 'bad.json': bad, 'good.json': good });
    expect(await runGw(cwd, ['check', '.'])).toEqual(await runGw(cwd, ['check', '.']));
  });

  it('uses colours only for a person', async () => {
    const cwd = temporaryFolder({ 'bad.json': bad });
    const escapeCode = String.fromCharCode(27);
    expect((await runGw(cwd, ['check', 'bad.json'], { colour: true })).out).toContain(escapeCode);
    expect((await runGw(cwd, ['check', 'bad.json'])).out).not.toContain(escapeCode);
  });

  it('uses the saved providers of the gateway file', async () => {
    const cwd = temporaryFolder({
      'gateway.json': { providers: { main: { provider: 'openai', credential: { api_key: '${env:KEY}' } } } },
      'a.json': { provider: '@main' },
    });
    expect((await runGw(cwd, ['check', 'a.json'])).out).toBe('1 file, nothing to report.\n');
  });

  it('shows mistakes of the gateway file at their place', async () => {
    const cwd = temporaryFolder({
      'gateway.json': '{\n  "lissten": {}\n}',
      'a.json': good,
    });
    const { code, out } = await runGw(cwd, ['check', 'a.json']);
    expect(code).toBe(1);
    expect(out).toContain('gateway.json:2:3  /lissten');
    expect(out).toContain('Did you mean "listen"?');
  });

  it.each([
    ['main/gpt-5.4-mini', 'Did you mean "@main/gpt-5.4-mini"?'],
    ['openai/gpt-5.4-mini', 'Write "config:NAME" for a config, or "@slug/model" for a model of a saved provider.'],
    ['/gpt', 'Write "config:NAME" for a config, or "@slug/model" for a model of a saved provider.'],
  ])('suggests the intended form of a model: %s', async (fast, hint) => {
    const main = { provider: 'openai', credential: { api_key: '${env:OPENAI_API_KEY}' } };
    const cwd = temporaryFolder({ 'gateway.json': { providers: { main }, models: { fast } } });
    const { code, out } = await runGw(cwd, ['check', '--config', 'gateway.json']);
    expect([code, out]).toEqual([1, expect.stringContaining(`= hint: ${hint}`)]);
  });

  it('shows no control characters and no credentials of a gateway file', async () => {
    const key = `sk-ant-api03-${'0'.repeat(93)}`;
    const odd = 'a\n::error::b\u001b[31m';
    const cwd = temporaryFolder({
      'gateway.json': { configs: 'configs', default_config: odd, models: { one: odd, two: `@${key}/model` } },
      'configs/known.json': { provider: 'echo' },
    });
    const { out } = await runGw(cwd, ['check', '--config', 'gateway.json']);
    expect(out).toContain('error[wrong-model-form]: "a\uFFFD::error::b');
    expect(out).toContain('error[unknown-config]: The default config "a\uFFFD::error::b');
    expect(out).not.toContain('\u001b');
    expect(out).not.toMatch(/^::error::/m);
    expect(out).not.toContain(key);
  });

  it('suggests each config once if the default config does not exist', async () => {
    const cwd = temporaryFolder({
      'gateway.json': { configs: 'configs', default_config: 'production' },
      'configs/known.json': { provider: 'echo' },
    });
    const { out } = await runGw(cwd, ['check', '--config', 'gateway.json']);
    expect(out).toContain('hint: There is only "known".');
  });

  it('omits warnings of the gateway file when it checks a config, but no others', async () => {
    const own = { provider: 'openai-compatible', settings: { custom_host: 'http://vm:8000' } };
    const cwd = temporaryFolder({
      'gateway.json': { providers: { own }, configs: 'configs' },
      'configs/a.json': { ...good, weight: 2 },
      'configs/b.json': good,
    });
    const found = async (...args: readonly string[]): Promise<readonly unknown[]> => {
      const { code, out } = await runGw(cwd, ['check', ...args, '--format', 'json', '--max-warnings', '0']);
      const { files }: { files: { file: string; diagnostics: { code: string }[] }[] } = JSON.parse(out);
      return [code, ...files.flatMap(({ file, diagnostics }) => diagnostics.map((each) => `${file} ${each.code}`))];
    };
    const ofGateway = 'gateway.json untrusted-host';
    expect(await found('configs/b.json')).toEqual([0]);
    expect(await found('configs/a.json')).toEqual([1, 'configs/a.json no-effect']);
    expect(await found('configs')).toEqual([1, ofGateway, 'configs/a.json no-effect']);
    expect(await found('--config', 'gateway.json')).toEqual([1, ofGateway, 'configs/a.json no-effect']);
    expect(await found('configs/b.json', '--config', 'gateway.json')).toEqual([1, ofGateway]);
  });

  it.each<[object, string]>([
    [{ auth: {}, port: 8787 }, 'Move it into "listen": "listen": { "port": … }.'],
    [{ listen: {}, body_bytes: 5 }, 'Move it into "limits": "limits": { "body_bytes": … }.'],
    [
      { providers: { a: { provider: 'openai', api_key: '${env:KEY}' } } },
      'Move it into "credential": "credential": { "api_key": … }.',
    ],
    [
      { providers: { a: { provider: 'openai', custom_host: 'http://h/v1' } } },
      'Move it into "settings": "settings": { "custom_host": … }.',
    ],
  ])('explains where a key of the gateway file belongs: %j', async (gateway, hint) => {
    const { code, out } = await runGw(temporaryFolder({ 'gateway.json': gateway, 'a.json': good }), [
      'check',
      'a.json',
    ]);
    expect(code).toBe(1);
    expect(out).toContain(`hint: ${hint}`);
  });

  it('checks configs that do not use a broken plugin, and explains what the others may need', async () => {
    const cwd = temporaryFolder({
      'gateway.json': {
        plugins: [{ package: './broken.js' }],
        providers: { main: { provider: 'acme', credential: {} } },
        guardrails: { saved: { 'acme.weather': {} } },
      },
      'package.json': { type: 'module' },
      'broken.js': "throw new Error('No such table.');",
      'configs/good.json': good,
      'configs/bad.json': bad,
      'configs/uses.json': { provider: 'echo', input_guardrails: [{ 'acme.weather': {} }] },
    });
    const { code, out } = await runGw(cwd, ['check', 'configs', '--format', 'json']);
    expect(code).toBe(1);
    const report: { files: { file: string; plan: unknown; diagnostics: { code: string; hint: string }[] }[] } =
      JSON.parse(out);
    expect(report.files.map(({ file, diagnostics }) => [file, diagnostics.map(({ code: each }) => each)])).toEqual([
      ['gateway.json', ['plugin-failed']],
      ['configs/bad.json', ['unknown-provider']],
      ['configs/good.json', []],
      ['configs/uses.json', ['unknown-check']],
    ]);
    expect(report.files[2]?.plan).not.toBeNull();
    expect(report.files[1]?.diagnostics[0]?.hint).toBe(providerHint(['echo']));
    expect(report.files[3]?.diagnostics[0]?.hint).toBe(
      'It may be provided by the plugin "./broken.js", which could not be loaded.',
    );
  });

  it('reports the same about the targets of virtual models as about the models of configs', async () => {
    const cwd = temporaryFolder({
      'gateway.json': {
        configs: 'configs',
        providers: { main: { provider: 'openai', credential: { api_key: '${env:KEY}' } } },
        models: {
          fine: '@main/gpt-5.4-mini',
          old: '@main/gpt-4-0314',
          older: '@main/gpt-3.5-turbo',
          speaker: '@main/tts-1',
          typo: '@main/gpt-5.4-mnii',
          routed: 'config:chat',
        },
      },
      'configs/chat.json': { provider: 'echo', override_params: { model: 'a' } },
    });
    const { out } = await runGw(cwd, ['check', '--config', 'gateway.json', '--format', 'json']);
    const report: { files: { diagnostics: { code: string; pointer: string; severity: string }[] }[] } = JSON.parse(out);
    const hint = (command: string) => expect.stringContaining(`: ${command} lists models`);
    expect(report.files[0]?.diagnostics).toMatchObject([
      {
        code: 'deprecated-model',
        pointer: '/models/old',
        severity: 'warning',
        hint: hint('gw models --provider openai'),
      },
      { pointer: '/models/older', hint: hint('gw models --provider openai --capabilities chat') },
      // OpenAI has no speech model that is not deprecated.
      { pointer: '/models/speaker', hint: hint('gw models --capabilities speech') },
      { code: 'misspelt-model', pointer: '/models/typo', severity: 'warning' },
    ]);
  });

  it.each([
    ['text-embedding-3-small', []],
    ['nobody-knows', []],
    ['text-embedding-3-smal', ['misspelt-model: Did you mean "text-embedding-3-small"?']],
    [
      'gpt-5.4-mini',
      ['no-embeddings: Name an embedding model: gw models --provider openai --capabilities embeddings lists them.'],
    ],
  ])('reports whether the model %s of a semantic cache creates embeddings', async (model, expected) => {
    const openai = { provider: 'openai', credential: { api_key: '${env:KEY}' } };
    const gateway = (settings: object) => ({
      providers: { main: { ...openai, settings } },
      cache: { semantic: { provider: '@main', model } },
    });
    const findings = async (settings: object): Promise<readonly string[]> => {
      const { out } = await runGw(temporaryFolder({ 'gateway.json': gateway(settings) }), [
        ...['check', '--config', 'gateway.json', '--format', 'json'],
      ]);
      const {
        files,
      }: { files: { diagnostics: { code: string; pointer: string; severity: string; hint: string }[] }[] } =
        JSON.parse(out);
      const found = files.flatMap(({ diagnostics }) => diagnostics);
      expect(found).toEqual(found.map((each) => ({ ...each, pointer: '/cache/semantic/model', severity: 'warning' })));
      return found.map(({ code, hint }) => `${code}: ${hint.replace(/(?<=[?.]) If .*/, '')}`);
    };
    expect(await findings({})).toEqual(expected);
    // A server at another host has its own models.
    expect(await findings({ custom_host: 'https://models.example.com/v1' })).toEqual([]);
  });

  it('shows a plugin that cannot be loaded at its place in the gateway file', async () => {
    const cwd = temporaryFolder({
      'gateway.json': '{\n  "plugins": [{ "package": "./nowhere.js" }]\n}',
      'a.json': good,
    });
    const { code, out } = await runGw(cwd, ['check', 'a.json']);
    expect(code).toBe(1);
    expect(out).toContain('error[plugin-not-found]');
    expect(out).toContain('gateway.json:2:28  /plugins/0/package');
  });
});

describe('an invalid command line', () => {
  it.each<[string, readonly string[], string]>([
    ['no command', [], 'No command was given. See gw --help.'],
    ['a misspelt command', ['chek'], 'There is no command "chek". Did you mean gw check?'],
    ['an unknown command', ['frobnicate'], 'There is no command "frobnicate". See gw --help.'],
    [
      'a misspelt flag',
      ['check', '--fromat', 'json', 'a.json'],
      'gw check has no flag --fromat. Did you mean --format?',
    ],
    ['a format given as a flag', ['check', '--json', 'a.json'], 'gw check has no flag --json. Write --format json.'],
    ['an unknown short flag', ['check', '-z', 'a.json'], 'gw check has no flag -z. See gw check --help.'],
    [
      'a flag without a value',
      ['check', 'a.json', '--config'],
      'The flag --config requires a value. Write --config FILE.',
    ],
    ['a flag in place of a value', ['compile', 'a.json', '--out', '--no-types'], 'The flag --out requires a value.'],
    ['a value for a boolean flag', ['compile', 'a.json', '--no-types=yes'], 'The flag --no-types takes no value.'],
    [
      'an invalid choice',
      ['check', 'a.json', '--format', 'xml'],
      'The flag --format cannot be "xml". Use human or json or github or sarif.',
    ],
    ['an invalid number', ['check', 'a.json', '--max-warnings', 'few'], 'It takes a whole number, 0 or more.'],
    ['no path to check', ['check'], 'gw check requires FILE|DIR…, or --config FILE. See gw check --help.'],
    ['an empty path', ['check', ''], 'gw check takes no empty argument. See gw check --help.'],
    ['an empty path to format', ['fmt', ''], 'gw fmt takes no empty argument. See gw fmt --help.'],
    ['an empty path among others', ['diff', 'a.json', ''], 'gw diff takes no empty argument.'],
    ['a missing file', ['check', 'nope.json'], 'There is no file or folder "nope.json".'],
    ['a folder without configs', ['check', 'empty'], 'The folder "empty" contains no configs.'],
    ['a missing gateway file', ['check', 'a.json', '--config', 'g.json'], 'There is no file "g.json".'],
    ['two files to explain', ['explain', 'a.json', 'b.json'], '"b.json" is one too many.'],
  ])('with %s is reported in one sentence with exit code 2', async (_, argv, words) => {
    const run = await runGw(temporaryFolder({ 'a.json': good, 'empty/notes.txt': '' }), argv);
    expect(run.err).toContain(words);
    expect(run).toMatchObject({ code: 2, out: '' });
    expect(run.err.match(/\n/g)).toHaveLength(1);
  });
});
