import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FindCommandOptions, findCommand } from '../../../editors/vscode/find-command.ts';

const at = (file: string): string => path.resolve(file);

const find = (files: readonly string[], options: Partial<FindCommandOptions> = {}) =>
  findCommand({
    ...{ setting: '', base: at('/work'), folders: [at('/work/app')], searchPath: '', platform: 'linux' },
    ...options,
    isFile: (file) => files.map(at).includes(file),
  });

const gw = '/work/node_modules/gatewright/gw.js';

describe('the command of the editor', () => {
  it('is taken from the setting first, relative to its folder', () => {
    const files = ['/work/bin/gw', gw];
    const found = { command: at('/work/bin/gw'), args: ['lsp', '--stdio'], shell: false };
    expect(find(files, { setting: 'bin/gw' })).toEqual({ ok: true, found });
    expect(find(files, { setting: 'bin/no' })).toMatchObject({ ok: false, why: expect.stringContaining('bin') });
  });

  it('is taken from the nearest package, which Node runs', () => {
    const found = (file: string) => ({
      ok: true,
      found: { command: 'node', args: [at(file), 'lsp', '--stdio'], shell: false },
    });
    expect(find([gw])).toEqual(found(gw));
    const nearer = '/work/app/node_modules/gatewright/gw.js';
    expect(find([gw, nearer])).toEqual(found(nearer));
    const folders = [at('/elsewhere'), at('/work/app')];
    expect(find([gw, '/bin/gw'], { folders, searchPath: '/bin' })).toEqual(found(gw));
  });

  it('is taken from the PATH, without its relative folders', () => {
    const searchPath = ['.', '/none', '/bin'].join(path.delimiter);
    expect(find(['/bin/gw', './gw'], { searchPath })).toMatchObject({ found: { command: at('/bin/gw') } });
  });

  it('is started by a shell if Windows requires one', () => {
    const found = find(['/bin/gw.cmd', '/bin/gw'], { searchPath: '/bin', platform: 'win32' });
    expect(found).toMatchObject({ found: { command: at('/bin/gw.cmd'), shell: true } });
  });

  it('is reported as missing in one sentence with the remedy', () => {
    expect(find([])).toEqual({
      ok: false,
      why: 'There is no gw command: install it with "npm install gatewright", or name it in the setting gatewright.command.',
    });
  });
});
