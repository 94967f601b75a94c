import {
  chmodSync,
  chownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../gw.ts';
import { runCommand } from '../support/commands/run-command.ts';
import { recordedIo, runGw } from '../support/commands/run-gw.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (cwd: string, file: string): string => readFileSync(path.join(cwd, file), 'utf8');

const piped = (text: string, ...argv: readonly string[]) =>
  runCommand([process.execPath, path.join(root, 'gw.js'), 'fmt', '-', ...argv], {
    cwd: temporaryFolder(),
    input: text,
  });

describe('gw fmt', () => {
  it('formats the configs, gateway files and route tests of a folder, but not generated files', async () => {
    const cwd = temporaryFolder({
      'gateway.json': '{"configs":"configs"}',
      'gateway.models.json': '{"as_of":1}',
      'package.json': '{"name":"x"}',
      'configs/a.jsonc': '{"provider":"echo",} // ours',
      'configs/b.yaml': 'provider:    echo\n',
      'configs/a.route.yaml': 'config:   a.jsonc\ntests: []\n',
      'configs/a.plan.json': '{"a":1}',
      'node_modules/x/y.json': '{"a":1}',
      '.hidden/y.json': '{"a":1}',
    });
    const checked = await runGw(cwd, ['fmt', '.', '--check']);
    expect(checked).toEqual({
      code: 1,
      out: 'configs/a.jsonc is not formatted.\nconfigs/a.route.yaml is not formatted.\nconfigs/b.yaml is not formatted.\ngateway.json is not formatted.\n4 files, 4 to format.\n',
      err: '',
    });
    expect(read(cwd, 'gateway.json')).toBe('{"configs":"configs"}');
    expect(await runGw(cwd, ['fmt', '.'])).toMatchObject({ code: 0, err: '' });
    expect(read(cwd, 'gateway.json')).toBe('{ "configs": "configs" }\n');
    expect(read(cwd, 'configs/a.jsonc')).toBe('{ "provider": "echo" } // ours\n');
    expect(read(cwd, 'configs/a.route.yaml')).toBe('config: a.jsonc\ntests: []\n');
    expect(await runGw(cwd, ['fmt', '.', '--check'])).toEqual({
      code: 0,
      out: '4 files, nothing to change.\n',
      err: '',
    });
  });

  it('finds nothing to change in the examples of the schema', async () => {
    expect(await runGw(root, ['fmt', 'schema/examples', '--check'])).toMatchObject({ code: 0, err: '' });
  });

  it('leaves an invalid file unchanged and formats the others', async () => {
    const cwd = temporaryFolder({ 'a.json': '{"provider":', 'b.json': '{"provider":"echo"}' });
    writeFileSync(path.join(cwd, 'c.json'), Buffer.from([0x7b, 0xff, 0x7d]));
    const { code, out, err } = await runGw(cwd, ['fmt', '.']);
    expect([code, out]).toEqual([1, 'b.json was formatted.\n3 files, 1 formatted, 2 failed.\n']);
    expect(err).toContain('error[syntax-error]');
    expect(err).toContain('gw: The file "c.json" cannot be read: line 1 is not in UTF-8.');
    expect(read(cwd, 'a.json')).toBe('{"provider":');
  });

  it('keeps the permissions of a file, writes through a link, and leaves no temporary files', async () => {
    const cwd = temporaryFolder({ 'real/a.json': '{"a":1}' });
    const file = path.join(cwd, 'real/a.json');
    chmodSync(file, 0o640);
    symlinkSync('real/a.json', path.join(cwd, 'link.json'));
    expect((await runGw(cwd, ['fmt', 'link.json'])).code).toBe(0);
    expect(lstatSync(path.join(cwd, 'link.json')).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(read(cwd, 'real/a.json')).toBe('{ "a": 1 }\n');
    expect(readdirSync(path.join(cwd, 'real'))).toEqual(['a.json']);
  });

  it.runIf(process.getuid?.() === 0)('keeps the owner of a file that the superuser formats', async () => {
    const cwd = temporaryFolder({ 'a.json': '{"a":1}' });
    const file = path.join(cwd, 'a.json');
    chmodSync(file, 0o600);
    chownSync(file, 65_534, 65_533);
    expect((await runGw(cwd, ['fmt', 'a.json'])).code).toBe(0);
    const { uid, gid, mode } = statSync(file);
    expect([uid, gid, mode & 0o777]).toEqual([65_534, 65_533, 0o600]);
  });

  it('formats a file with the longest name that a file may have', async () => {
    const name = `${'a'.repeat(250)}.json`;
    const cwd = temporaryFolder({ [name]: '{"a":1}' });
    expect(await runGw(cwd, ['fmt', name])).toMatchObject({ code: 0, err: '' });
    expect(read(cwd, name)).toBe('{ "a": 1 }\n');
  });

  it('leaves a file unchanged that has changed since it was read', async () => {
    const cwd = temporaryFolder({ 'a.json': '{"a":1}' });
    const io = recordedIo(cwd);
    const readFile = async (file: string): Promise<string> => {
      const text = await io.readFile(file);
      writeFileSync(path.join(cwd, file), '{"a":2}');
      return text;
    };
    expect(await main(['fmt', 'a.json'], { ...io, readFile })).toBe(1);
    expect(io.err.text).toBe(
      'gw: The file "a.json" has changed since it was read, and was left unchanged. Run the command again.\n',
    );
    expect(read(cwd, 'a.json')).toBe('{"a":2}');
  });

  it('explains what to do if the disk is full, and leaves the file unchanged', async () => {
    const cwd = temporaryFolder({ 'a.json': '{"provider":"echo"}' });
    const io = recordedIo(cwd);
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(await main(['fmt', 'a.json'], { ...io, writeFiles: () => Promise.reject(full) })).toBe(1);
    expect(io.err.text).toBe('gw: The file "a.json" cannot be written: the disk is full. Make room.\n');
  });

  it('does not report that a file with errors needs no change', async () => {
    const cwd = temporaryFolder({ 'a.json': '{"provider":' });
    expect(await runGw(cwd, ['fmt', 'a.json'])).toMatchObject({ code: 1, out: '1 file, 1 failed.\n' });
    expect(await runGw(cwd, ['fmt', 'a.json', '--check'])).toMatchObject({ code: 1, out: '1 file, 1 failed.\n' });
  });

  it.skipIf(process.getuid?.() === 0)('does not replace a read-only file', async () => {
    const cwd = temporaryFolder({ 'a.json': '{"a":1}' });
    chmodSync(path.join(cwd, 'a.json'), 0o444);
    expect(await runGw(cwd, ['fmt', 'a.json'])).toMatchObject({
      code: 1,
      err: 'gw: The file "a.json" cannot be written: permission denied. Check its permissions, and those of its folder.\n',
    });
    expect(read(cwd, 'a.json')).toBe('{"a":1}');
  });

  it('formats standard input, and returns it unchanged if it is invalid', async () => {
    expect(await piped('{"a":1}')).toMatchObject({ status: 0, stdout: '{ "a": 1 }\n', stderr: '' });
    expect(await piped('a:   1', '--stdin-name', 'x.yaml')).toMatchObject({ status: 0, stdout: 'a: 1\n' });
    expect(await piped('{"a":1}', '--check')).toMatchObject({ status: 1, stdout: 'stdin.json is not formatted.\n' });
    const broken = await piped('{"a":');
    expect(broken).toMatchObject({ status: 1, stdout: '{"a":' });
    expect(broken.stderr).toContain('stdin.json:1:6');
  });

  it.each([
    [['-', 'a.json'], '- cannot be combined with files.'],
    [['a.json', '--stdin-name', 'a.yaml'], '--stdin-name is given without -.'],
    [['none.json'], 'There is no file or folder "none.json".'],
    [['empty'], 'The folder "empty" contains no configs'],
  ])('explains why it cannot run: %j', async (argv, message) => {
    const cwd = temporaryFolder({ 'a.json': {}, 'empty/x.txt': '' });
    const { code, err } = await runGw(cwd, ['fmt', ...argv]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe, and formats the other files', async () => {
    const cwd = temporaryFolder({ 'a.json': '{"a":1}' });
    await runCommand(['mkfifo', 'b.json'], { cwd });
    expect(await runGw(cwd, ['fmt', '.'])).toEqual({
      code: 1,
      out: 'a.json was formatted.\n2 files, 1 formatted, 1 failed.\n',
      err: 'gw: The file "b.json" is a pipe or a device. Format the standard input: gw fmt -.\n',
    });
  });
});
