import { describe, expect, it } from 'vitest';
import { ownCommands, storeCommands } from '../../gw/commands.ts';
import { runGw } from '../support/commands/run-gw.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';

const names = [...ownCommands, ...(await storeCommands())].map(({ name }) => name);

/** A single-line sentence for people, without a position in the program's code. */
const sentence = /^gw: (?!.*(?:\bat file:|\bat async |\.ts:\d|node:internal))[^\n]+\n$/;

describe('gw', () => {
  it('has commands to test', () => {
    expect(names.length).toBeGreaterThan(20);
  });

  it.each(names)('%s --help exits with 0 and prints the usage', async (name) => {
    const { code, out, err } = await runGw(temporaryFolder(), [name, '--help']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^Usage: gw ${name}\\b`));
  });

  it.each(names)('%s exits with 2 for unknown arguments and prints one sentence', async (name) => {
    const cwd = temporaryFolder();
    for (const argv of [['--no-such-flag'], ['\0'], ['no-such', 'thing', 'at', 'all', '--no-such-flag']]) {
      const { code, out, err } = await runGw(cwd, [name, ...argv]);
      expect([argv, code, out]).toEqual([argv, 2, '']);
      expect(err).toMatch(sentence);
    }
  });

  it.each([
    ['check', 'no-such.json'],
    ['compile', 'no-such.json', '--out', 'plans'],
    ['explain', 'no-such.json'],
    ['check', 'good.json', '--config', 'no-such.json'],
    ['serve', '--config', 'no-such.json'],
    ['health', '--config', 'no-such.json'],
    ['doctor', '--config', 'no-such.json'],
    ['models', 'list', '--config', 'no-such.json'],
    ['apply', 'no-such'],
    ['apply', ''],
    ['export', ''],
  ])('%s %s exits with 2 if a path does not exist', async (...argv) => {
    const { code, out, err } = await runGw(temporaryFolder({ 'good.json': { provider: 'echo' } }), argv);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(sentence);
  });

  it.each([
    ['check', 'bad.json'],
    ['compile', 'bad.json', '--out', 'plans'],
    ['explain', 'bad.json'],
    ['serve', '--config', 'bad.json'],
    ['health', '--url', 'http://127.0.0.1:9'],
  ])('%s %s exits with 1 if it runs and finds errors', async (...argv) => {
    const { code } = await runGw(temporaryFolder({ 'bad.json': { provider: 'no-such' } }), argv);
    expect(code).toBe(1);
  });
});
