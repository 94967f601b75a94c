import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandTree } from '../../gw/commands.ts';
import { completionRows } from '../../gw/completion/completion-rows.ts';
import { runGw } from '../support/commands/run-gw.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';

const rows = completionRows('gw', await commandTree());
const files = { 'a.json': {}, 'a file.json': {}, 'folder/b.json': {} };

const has = (program: string): boolean => spawnSync(program, ['-c', 'exit 0']).status === 0;

const script = async (shell: string): Promise<string> => {
  const { code, out } = await runGw(temporaryFolder(), ['completion', shell]);
  expect(code).toBe(0);
  return out;
};

const run = (cwd: string, program: string, args: readonly string[]): string => {
  const { stdout, stderr, status } = spawnSync(program, [...args], { cwd, encoding: 'utf8', timeout: 60_000 });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
};

/** What bash offers for each typed line, whose last word is the one to complete. */
const inBash = async (lines: readonly string[]): Promise<readonly (readonly string[])[]> => {
  const cwd = temporaryFolder(files);
  writeFileSync(path.join(cwd, 'gw.bash'), await script('bash'));
  const asked = lines.map((line) => {
    // Readline also splits at "=".
    const words = line.split(' ').flatMap((word) => word.split(/(=)/).filter((part, at) => part !== '' || at === 0));
    return `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _gw; printf '%s\\n' "\${COMPREPLY[@]}"; echo ---`;
  });
  const out = run(cwd, 'bash', ['--norc', '-c', ['source ./gw.bash; rm gw.bash', ...asked].join('\n')]);
  return out.split('---\n').map((part) => part.split('\n').filter((line) => line !== ''));
};

const bash = async (line: string): Promise<readonly string[]> => (await inBash([line]))[0] ?? [];

describe('gw completion bash', () => {
  it('completes the commands and flags of every command in the table', async () => {
    expect(rows.length).toBeGreaterThan(100);
    const offered = await inBash(rows.flatMap(({ at }) => [`${at} `, `${at} -`]));
    for (const [index, { at, words, flags, takesFiles }] of rows.entries()) {
      const found = [at, ...words.map(({ word }) => word), ...(takesFiles ? ['a file.json', 'a.json', 'folder'] : [])];
      expect([at, ...(offered[2 * index] ?? [])].toSorted()).toEqual(found.toSorted());
      expect([at, ...(offered[2 * index + 1] ?? [])]).toEqual([at, ...flags.map(({ flag }) => flag)]);
    }
  });

  it('completes the values of every flag in the table that has fixed values', async () => {
    const flags = rows.flatMap(({ at, flags: all }) =>
      all.flatMap(({ flag, value }) => (typeof value === 'string' ? [] : [{ at, flag, value }])),
    );
    expect(flags.length).toBeGreaterThan(50);
    const offered = await inBash(flags.flatMap(({ at, flag }) => [`${at} ${flag} `, `${at} ${flag}=`]));
    for (const [index, { value }] of flags.entries()) {
      expect(offered[2 * index]).toEqual(value);
      expect(offered[2 * index + 1]).toEqual(value);
    }
  });

  it.each([
    ['gw che', ['check']],
    ['gw check --format js', ['json']],
    ['gw check --format=sa', ['sarif']],
    ['gw check --config a.j', ['a.json']],
    ['gw check --config fol', ['folder']],
    ['gw check --format json a.', ['a.json']],
    ['gw check --fix a.', ['a.json']],
    ['gw check --max-warnings ', []],
    ['gw configs --url x:y g', ['get']],
    ['gw configs get --url get --form', ['--format']],
    ['gw completion z', ['zsh']],
    ['gw nonsense che', ['check']],
    ['gw prompts partials pub', ['publish']],
    ['gw logs --fo', ['--format', '--follow']],
    ['gw check $(touch', []],
  ])('completes %s', async (line, wanted) => {
    expect(await bash(line)).toEqual(wanted);
  });
});

describe.skipIf(!has('fish'))('gw completion fish', () => {
  const inFish = async (line: string): Promise<readonly string[]> => {
    const cwd = temporaryFolder(files);
    const loaded = path.join(temporaryFolder({ 'gw.fish': await script('fish') }), 'gw.fish');
    const out = run(cwd, 'fish', ['--no-config', '-c', `source ${loaded}; complete -C '${line}'`]);
    return out.split('\n').flatMap((each) => (each === '' ? [] : [each.replace(/\t.*/, '')]));
  };

  it.each([
    ['gw che', ['check']],
    ['gw check --format js', ['json']],
    ['gw check --format=sa', ['--format=sarif']],
    ['gw check --config a.j', ['a.json']],
    ['gw check --max-warnings ', []],
    ['gw configs get --url get --form', ['--format']],
    ['gw completion z', ['zsh']],
    ['gw prompts partials publish --ver', ['--version']],
  ])('completes %s', async (line, wanted) => {
    expect(await inFish(line)).toEqual(wanted);
  });
});

describe.skipIf(!has('zsh'))('gw completion zsh', () => {
  /** The line on the terminal after Tab has been pressed. */
  const inZsh = async (line: string): Promise<string> => {
    const cwd = temporaryFolder(files);
    const loaded = path.join(temporaryFolder({ _gw: await script('zsh') }), '_gw');
    const program = `
zmodload zsh/zpty
zpty t zsh -f -i
zpty -w t 'PS1=; autoload -Uz compinit; compinit -D -u; source ${loaded}; zle -C show complete-word _main_complete'
zpty -w t 'show-line() { zle complete-word; print -r -- "<<$BUFFER>>"; exit }; zle -N show-line; bindkey "^X" show-line; print ready'
zpty -r -m t seen $'*\\nready*'
zpty -w -n t "$1"$'\\x18'
zpty -r -m t seen '*<<*>>*'
print -r -- "$seen"`;
    const out = run(cwd, 'zsh', ['-f', '-c', program, 'zsh', line]);
    return /<<(.*)>>/.exec(out)?.[1] ?? out;
  };

  it.each([
    ['gw che', 'gw check '],
    ['gw check --format js', 'gw check --format json '],
    ['gw check --format=sa', 'gw check --format=sarif '],
    ['gw check --config fol', 'gw check --config folder/'],
    ['gw check --fix fol', 'gw check --fix folder/'],
    ['gw completion z', 'gw completion zsh '],
    ['gw prompts partials pub', 'gw prompts partials publish '],
  ])('completes %s', async (line, wanted) => {
    expect(await inZsh(line)).toBe(wanted);
  });
});

it('gw completion suggests a shell that it knows', async () => {
  expect(await runGw(temporaryFolder(), ['completion', 'zhs'])).toEqual({
    code: 2,
    out: '',
    err: 'gw: There is no script for the shell "zhs". Did you mean "zsh"?\n',
  });
});
