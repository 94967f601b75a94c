import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadPlan } from '../../../schema/plan/load-plan.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const good = { provider: 'echo' };

const contents = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));

describe('gw compile', () => {
  it('writes a plan and its module, and prints the bounds of a request', async () => {
    const cwd = temporaryFolder({ 'configs/prod.json': good });
    const { code, out } = await runGw(cwd, ['compile', 'configs/prod.json', '--out', 'dist/plans']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^dist\/plans\/prod\.plan\.json, dist\/plans\/prod\.plan\.ts {2}sha256:\w{12} {2}at most 1 call, /,
    );
    expect(readdirSync(path.join(cwd, 'dist/plans'))).toEqual(['prod.plan.json', 'prod.plan.ts']);
    expect(loadPlan(readFileSync(path.join(cwd, 'dist/plans/prod.plan.json'), 'utf8')).name).toBe('prod');
  });

  it('writes the same bytes in another folder and through another path', async () => {
    const files = { 'configs/a.json': good, 'configs/b.json': { name: 'second', ...good } };
    const [here, there] = [temporaryFolder(files), temporaryFolder(files)];
    await runGw(here, ['compile', 'configs', '--out', 'out']);
    await runGw(there, ['compile', path.join(there, 'configs/b.json'), './configs/../configs/a.json', '--out', 'out']);
    expect(contents(path.join(here, 'out'))).toEqual(contents(path.join(there, 'out')));
    expect(Object.keys(contents(path.join(here, 'out')))).toContain('second.plan.ts');
  });

  it('writes nothing if one config has an error', async () => {
    const cwd = temporaryFolder({ 'a.json': good, 'b.json': { provider: 'nobody' }, 'out/a.plan.json': 'before' });
    const { code, out } = await runGw(cwd, ['compile', 'a.json', 'b.json', '--out', 'out']);
    expect(code).toBe(1);
    expect(out).toContain('1 error in 2 files.\nNothing was written.\n');
    expect(contents(path.join(cwd, 'out'))).toEqual({ 'a.plan.json': 'before' });
  });

  it('writes nothing if a folder has the name of one of its files', async () => {
    const cwd = temporaryFolder({ 'configs/a.json': good, 'configs/b.json': good, 'out/b.plan.json/x': 'before' });
    expect(await runGw(cwd, ['compile', 'configs', '--out', 'out'])).toEqual({
      code: 2,
      out: '',
      err: 'gw: Nothing can be written to "out": "b.plan.json" is a folder. Name another folder with --out.\n',
    });
    expect(readdirSync(path.join(cwd, 'out'))).toEqual(['b.plan.json']);
  });

  it('does not rewrite unchanged files, so that nothing reloads them', async () => {
    const cwd = temporaryFolder({ 'a.json': good });
    await runGw(cwd, ['compile', 'a.json', '--out', 'out']);
    const before = statSync(path.join(cwd, 'out/a.plan.json')).ino;
    await runGw(cwd, ['compile', 'a.json', '--out', 'out']);
    expect(statSync(path.join(cwd, 'out/a.plan.json')).ino).toBe(before);
  });

  it('omits the modules with --no-types', async () => {
    const cwd = temporaryFolder({ 'a.json': good });
    const { out } = await runGw(cwd, ['compile', 'a.json', '--out', 'out', '--no-types', '--format', 'json']);
    expect(JSON.parse(out)).toMatchObject({ written: ['out/a.plan.json'], errors: 0 });
    expect(readdirSync(path.join(cwd, 'out'))).toEqual(['a.plan.json']);
  });

  it.each([
    ['a CommonJS package', { type: 'commonjs' }],
    ['a package without a module type', {}],
  ])('marks its modules as ES modules in %s', async (_, manifest) => {
    const cwd = temporaryFolder({ 'a.json': good, 'package.json': manifest });
    const { code, out } = await runGw(cwd, ['compile', 'a.json', '--out', 'out/deep']);
    expect(code).toBe(0);
    expect(out).toMatch(/\nout\/deep\/package\.json {2}lets Node load the modules beside it as ES modules\n$/);
    expect(JSON.parse(readFileSync(path.join(cwd, 'out/deep/package.json'), 'utf8'))).toEqual({ type: 'module' });
    const again = await runGw(cwd, ['compile', 'a.json', '--out', 'out/deep']);
    expect(again.out).toBe(out);
  });

  it('adds no package.json if its modules are ES modules already, or if there are none', async () => {
    const esm = temporaryFolder({ 'a.json': good, 'package.json': { type: 'module' } });
    await runGw(esm, ['compile', 'a.json', '--out', 'out']);
    expect(readdirSync(path.join(esm, 'out'))).toEqual(['a.plan.json', 'a.plan.ts']);
    const untyped = temporaryFolder({ 'a.json': good, 'package.json': { type: 'commonjs' } });
    await runGw(untyped, ['compile', 'a.json', '--out', 'out', '--no-types']);
    expect(readdirSync(path.join(untyped, 'out'))).toEqual(['a.plan.json']);
  });

  it('does not change the package.json of its folder, and warns that the modules cannot be loaded there', async () => {
    const cwd = temporaryFolder({ 'a.json': good, 'package.json': { name: 'mine', type: 'commonjs' } });
    const { code, out } = await runGw(cwd, ['compile', 'a.json', '--out', '.']);
    expect(code).toBe(0);
    expect(out).toContain('note: Node cannot load the modules as ES modules here, because package.json makes');
    expect(JSON.parse(readFileSync(path.join(cwd, 'package.json'), 'utf8'))).toMatchObject({ name: 'mine' });
  });

  it('never writes outside its folder, whatever the name of a config', async () => {
    const cwd = temporaryFolder({ 'a.json': { name: '../../evil name', ...good } });
    expect((await runGw(cwd, ['compile', 'a.json', '--out', 'out', '--no-types'])).code).toBe(0);
    expect(readdirSync(path.join(cwd, 'out'))).toEqual(['evil-name.plan.json']);
    expect(readdirSync(cwd)).toEqual(['a.json', 'out']);
  });

  it('rejects two configs that would be written to one file', async () => {
    const cwd = temporaryFolder({ 'x/prod.json': good, 'y/Prod.json': good });
    const { code, err } = await runGw(cwd, ['compile', 'x', 'y', '--out', 'out']);
    expect(code).toBe(2);
    expect(err).toContain('x/prod.json and y/Prod.json would both be written to out/Prod.plan.json.');
    expect(existsSync(path.join(cwd, 'out'))).toBe(false);
  });

  it('leaves no folder behind if a file in it cannot be written', async () => {
    const cwd = temporaryFolder({ 'a.json': { ...good, name: 'n'.repeat(250) } });
    const { code, err } = await runGw(cwd, ['compile', 'a.json', '--out', 'out/deep']);
    expect(code).toBe(2);
    expect(err).toContain('Nothing can be written to "out/deep": a name is too long.');
    expect(readdirSync(cwd)).toEqual(['a.json']);
  });

  it('rejects a file as its output folder', async () => {
    const cwd = temporaryFolder({ 'a.json': good, out: '' });
    expect(await runGw(cwd, ['compile', 'a.json', '--out', 'out'])).toMatchObject({ code: 2, out: '' });
    expect((await runGw(cwd, ['compile', 'a.json', '--out', 'out/deep'])).err).toContain('a file is in the way');
  });

  it.skipIf(process.getuid?.() === 0)('reports that it may not write, and leaves nothing behind', async () => {
    const cwd = temporaryFolder({ 'a.json': good, 'out/keep': '' });
    chmodSync(path.join(cwd, 'out'), 0o500);
    const { code, err } = await runGw(cwd, ['compile', 'a.json', '--out', 'out']);
    chmodSync(path.join(cwd, 'out'), 0o700);
    expect(code).toBe(2);
    expect(err).toContain('Nothing can be written to "out": permission denied.');
    expect(readdirSync(path.join(cwd, 'out'))).toEqual(['keep']);
  });
});
