import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { questions } from '../../compiler/cli/init/choices.ts';
import { init } from '../../compiler/cli/init/init.ts';
import { runGw } from '../support/commands/run-gw.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';

const pairs = questions.provider.choices.flatMap((provider) =>
  questions.fallback.choices.filter((each) => each !== provider).map((fallback) => [provider, fallback] as const),
);

const readAll = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

/** Types the given answers one after another, as a person would. */
const typing = (...answers: readonly string[]): ((question: string) => Promise<string>) => {
  const left = [...answers];
  return async () => left.shift() ?? '';
};

const ofIo = (cwd: string) => {
  const printed: string[] = [];
  const out = { colour: false, write: (text: string) => void printed.push(text) };
  return { printed, out, cwd };
};

describe('gw init', () => {
  it.each(pairs)(
    'writes a valid set-up for %s and %s, with passing tests that reach everything',
    async (provider, fallback) => {
      const cwd = temporaryFolder();
      const written = await runGw(cwd, [
        'init',
        '--provider',
        provider,
        '--fallback',
        fallback,
        '--store',
        'none',
        '--ci',
        'github',
      ]);
      expect([written.code, written.err]).toEqual([0, '']);
      const checked = await runGw(cwd, ['check', 'configs', '--max-warnings', '0']);
      // Notes report what one of the two models cannot do.
      expect([checked.code, checked.out.match(/\b(?:error|warning)\[/g)]).toEqual([0, null]);
      expect((await runGw(cwd, ['test', '--min-coverage', '100'])).out).toContain('4 tests passed. Coverage: 100 %.');
    },
  );

  it.each(questions.store.choices)('writes a valid gateway file for the store %s', async (store) => {
    const cwd = temporaryFolder();
    await runGw(cwd, ['init', '--yes', '--store', store]);
    expect((await runGw(cwd, ['check', 'configs', '--max-warnings', '0'])).code).toBe(0);
    const variables = /\$\{env:(\w+)\}/g;
    const example = readFileSync(path.join(cwd, '.env.example'), 'utf8');
    for (const [
      ,
      name = '',
    ] of `${readFileSync(path.join(cwd, 'gateway.json'), 'utf8')}${readFileSync(path.join(cwd, 'configs/main.json'), 'utf8')}`.matchAll(
      variables,
    ))
      expect(example).toContain(`${name}=`);
  });

  it.each(['sqlite', 'postgres'])("writes no values for the gateway's own keys with the store %s", async (store) => {
    const cwd = temporaryFolder();
    await runGw(cwd, ['init', '--yes', '--store', store]);
    const example = readFileSync(path.join(cwd, '.env.example'), 'utf8');
    expect(example.match(/^.*\bGW_\w+=.*$/gm)).toEqual(['# GW_ADMIN_KEY=', '# GW_MASTER_KEY=']);
    // The key that the gateway creates instead is ignored by git.
    const ignored = readFileSync(path.join(cwd, '.gitignore'), 'utf8');
    expect(ignored).toContain(store === 'sqlite' ? 'gateway.db*' : 'gateway.admin-key*');
  });

  it.each([
    ['github', '.github/workflows/gatewright.yml'],
    ['gitlab', '.gitlab-ci.yml'],
  ])('writes a job for %s that runs only npx gatewright', async (ci, file) => {
    const cwd = temporaryFolder();
    await runGw(cwd, ['init', '--yes', '--ci', ci]);
    const text = readFileSync(path.join(cwd, file), 'utf8');
    const commands = text.split('\n').filter((line) => /^\s+- (?:run: )?(?!uses)[a-z]+ /.test(line));
    expect(commands).toHaveLength(2);
    for (const command of commands)
      expect(command).toMatch(/- (?:run: )?npx --yes gatewright@\d+\.\d+\.\d+ (?:check|test) /);
  });

  it('overwrites no existing file', async () => {
    for (const file of ['gateway.json', 'configs/main.json', 'tests/main.route.yaml']) {
      const cwd = temporaryFolder({ [file]: 'mine' });
      const { code, err } = await runGw(cwd, ['init', '--yes']);
      expect([code, err]).toEqual([2, expect.stringContaining(`${file} already exists, so nothing was written.`)]);
      expect(readAll(cwd)).toBe('mine');
    }
  });

  it('suggests only flags that it has if the folder cannot be created', async () => {
    const cwd = temporaryFolder({ file: 'mine' });
    expect(await runGw(cwd, ['init', 'file/app', '--yes'])).toEqual({
      code: 2,
      out: '',
      err: 'gw: Nothing can be written to "file/app": a file is in the way. Name another folder: gw init FOLDER.\n',
    });
  });

  it.skipIf(process.platform !== 'linux')(
    'exits silently on Control-C at a question, without writing a file',
    async () => {
      const cwd = temporaryFolder({});
      const gw = path.join(import.meta.dirname, '../../gw.js');
      const child = spawn('/usr/bin/script', ['-qec', `${process.execPath} ${gw} init`, '/dev/null'], { cwd });
      let text = '';
      child.stdout.on('data', (part) => {
        if (text === '') child.stdin.write('\x03');
        text += part;
      });
      const [code] = await once(child, 'close');
      expect([code, text]).toEqual([130, expect.not.stringContaining('gw:')]);
      expect(readAll(cwd)).toBe('');
    },
  );

  it('leaves an existing .gitignore unchanged and prints the lines to add', async () => {
    const cwd = temporaryFolder({ '.gitignore': 'node_modules\r\n' });
    const { code, out } = await runGw(cwd, ['init', '--yes', '--store', 'sqlite']);
    expect(code).toBe(0);
    expect(out).toContain('.gitignore already exists and was not changed. Add to it:\n  .env\n  gateway.db*\n\n');
    expect(readFileSync(path.join(cwd, '.gitignore'), 'utf8')).toBe('node_modules\r\n');
  });

  it('asks for what no flag specifies until the answer is valid', async () => {
    const cwd = temporaryFolder();
    const { printed, out } = ofIo(cwd);
    const { nodeIo } = await import('../../compiler/cli/files/node-io.ts');
    const io = nodeIo({ cwd, out, err: out });
    const versions = { gatewright: '1.2.3', sdk: '1.0.0' };
    const code = await init({ io, versions }, ['--store', 'none', 'app'], typing('Antropic', 'Anthropic', '', 'none'));
    expect(code).toBe(0);
    expect(printed.join('')).toContain('"antropic" is not one of the answers. Did you mean anthropic?');
    const config = readFileSync(path.join(cwd, 'app/configs/main.json'), 'utf8');
    expect(config).toContain('"provider": "anthropic"');
    expect(config).toContain('"provider": "openai"');
    expect(readdirSync(path.join(cwd, 'app')).sort()).toEqual([
      '.env.example',
      '.gitignore',
      'configs',
      'gateway.json',
      'tests',
    ]);
  });

  it.each([
    [
      ['init'],
      'gw init asks its questions on a terminal, and standard input is not one. Pass --yes, and --provider, --fallback, --store, --ci',
    ],
    [['init', '--yes', '--provider', 'opena'], 'The flag --provider cannot be "opena".'],
    [['init', '--yes', '--provider', 'groq', '--fallback', 'groq'], 'The fallback of groq cannot be groq.'],
    [['init', '--yes', 'a.txt'], '"a.txt" is a file.'],
    [['init', '--yes', 'a', 'b'], 'one too many'],
  ])('rejects %j', async (argv, problem) => {
    const cwd = temporaryFolder();
    writeFileSync(path.join(cwd, 'a.txt'), 'a');
    const { code, err } = await runGw(cwd, argv);
    expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
  });
});
