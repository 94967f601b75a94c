import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeIo } from '../../../compiler/cli/files/node-io.ts';
import { main } from '../../../gw.ts';
import { recordedIo, runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const read = (cwd: string, file: string): string => readFileSync(path.join(cwd, file), 'utf8');

/** Runs a command at a terminal at which a person answers each question. */
const atTerminal = async (cwd: string, argv: readonly string[], answer: boolean) => {
  const asked: string[] = [];
  let text = '';
  const write = (more: string): void => {
    text += more;
  };
  const out = { write, colour: false };
  const ask = async (question: string): Promise<boolean> => {
    asked.push(question);
    return answer;
  };
  const code = await main(argv, nodeIo({ cwd, out, err: out, ask }));
  return { code, text, asked };
};

const wordy = `{
  // the first
  "strategy": { "mode": "fallback", "on_status_codes": [429, 500, 429] },
  'targets': [
    { "provider": "openai", "api_key": "\${env:KEY}", "retry": { "attempts": 1, "on_status_codes": [500, 500] } },
    { "provider": "echo" }
  ]
}
`;

const misspelt = `# ours
strategy:
  mode: conditonal # here
  conditions:
    - query: { metadata.tier: gold }
      then: fats
  default: fast
targets:
  - name: fast
    provider: echo
  - name: slow
    provider: 'ecko'
`;

describe('gw check --fix', () => {
  it('corrects the syntax of a .json file, removes settings without effect, and shows the changes', async () => {
    const cwd = temporaryFolder({ 'a.json': wordy });
    const { code, out } = await runGw(cwd, ['check', 'a.json', '--fix']);
    expect(code).toBe(0);
    expect(out).toContain('-   \'targets\': [\n+   "targets": [');
    const mended = read(cwd, 'a.json');
    expect(mended).toContain('// the first');
    expect(JSON.parse(mended.replace('// the first', ''))).toEqual({
      strategy: { mode: 'fallback', on_status_codes: [429, 500] },
      targets: [
        { provider: 'openai', api_key: '${env:KEY}', retry: { attempts: 1, on_status_codes: [500] } },
        { provider: 'echo' },
      ],
    });
    const again = await runGw(cwd, ['check', 'a.json', '--fix']);
    expect(again).toEqual({ code: 0, out: '1 file, nothing to report.\n', err: '' });
    expect(read(cwd, 'a.json')).toBe(mended);
  });

  it.each([
    [0.7, 0.3],
    [70, 30],
  ])('reads a percentage as a weight on the scale of the one next to it, %j', async (weight, meant) => {
    const targets = [
      { provider: 'echo', weight },
      { provider: 'echo', weight: '30%' },
    ];
    const cwd = temporaryFolder({ 'a.json': { strategy: { mode: 'loadbalance' }, targets } });
    await atTerminal(cwd, ['check', 'a.json', '--fix'], true);
    expect(JSON.parse(read(cwd, 'a.json')).targets[1]).toEqual({ provider: 'echo', weight: meant });
  });

  it.each([[[]], [['--yes']]])('applies no guesses if nobody can be asked, with %j', async (flags) => {
    const cwd = temporaryFolder({ 'a.yaml': misspelt });
    const { code, out } = await runGw(cwd, ['check', 'a.yaml', '--fix', ...flags]);
    expect(code).toBe(1);
    expect(out).toContain('Did you mean "conditional"?');
    expect(read(cwd, 'a.yaml')).toBe(misspelt);
  });

  it('leaves a file unchanged that was saved elsewhere while it asked', async () => {
    const cwd = temporaryFolder({ 'a.yaml': misspelt });
    const io = recordedIo(cwd);
    const ask = async (): Promise<boolean> => {
      writeFileSync(path.join(cwd, 'a.yaml'), `${misspelt}# edited\n`);
      return true;
    };
    expect(await main(['check', 'a.yaml', '--fix'], { ...io, ask })).toBe(2);
    expect(io.err.text).toContain('The file "a.yaml" has changed since it was read, and was left unchanged.');
    expect(read(cwd, 'a.yaml')).toBe(`${misspelt}# edited\n`);
  });

  it('asks about guesses at a terminal, and applies them', async () => {
    const cwd = temporaryFolder({ 'a.yaml': misspelt });
    const { code, asked } = await atTerminal(cwd, ['check', 'a.yaml', '--fix'], true);
    expect(asked).toEqual([
      '"mode" cannot be "conditonal". Change it?',
      'This condition names the target "fats", but no target here has that name. Change it?',
      'There is no provider "ecko". Change it?',
    ]);
    expect(read(cwd, 'a.yaml')).toBe(
      misspelt.replace('conditonal', 'conditional').replace('fats', 'fast').replace("'ecko'", '"echo"'),
    );
    expect(code).toBe(0);
  });

  const weighted = (...weights: readonly (number | undefined)[]): object => ({
    strategy: { mode: 'loadbalance' },
    targets: weights.map((weight, seed) => ({
      ...{ provider: 'echo', override_params: { model: 'x', seed } },
      ...(weight === undefined ? {} : { weight }),
    })),
  });

  it.each<[(number | undefined)[], number]>([
    [[70, undefined], 30],
    [[70, undefined, 20.5], 9.5],
    [[0.7, 0.1, undefined], 0.2],
  ])('asks whether the weight missing in %j should be the rest, %j', async (weights, rest) => {
    const cwd = temporaryFolder({ 'a.json': weighted(...weights) });
    const { code, asked } = await atTerminal(cwd, ['check', 'a.json', '--fix', '--max-warnings', '0'], true);
    expect(asked).toEqual([expect.stringMatching(/^This target has no weight .* Change it\?$/)]);
    expect(JSON.parse(read(cwd, 'a.json'))).toEqual(weighted(...weights.map((weight) => weight ?? rest)));
    expect(code).toBe(0);
  });

  it.each<[(number | undefined)[]]>([
    [[70, undefined, undefined]],
    [[70, 40, undefined]],
    [[0.7, 20, undefined]],
    [[100, undefined]],
  ])('does not ask about weights that do not determine the rest: %j', async (weights) => {
    const cwd = temporaryFolder({ 'a.json': weighted(...weights) });
    const { asked } = await atTerminal(cwd, ['check', 'a.json', '--fix'], true);
    expect(asked).toEqual([]);
    expect(JSON.parse(read(cwd, 'a.json'))).toEqual(weighted(...weights));
  });

  it("asks whether to use the provider's own name of a model", async () => {
    const text =
      'provider: anthropic\napi_key: ${env:KEY}\noverride_params:\n  model: anthropic/claude-sonnet-5 # ours\n';
    const cwd = temporaryFolder({ 'a.yaml': text });
    const { code, asked } = await atTerminal(cwd, ['check', 'a.yaml', '--fix', '--max-warnings', '0'], true);
    expect(asked).toEqual(['Models of "anthropic" have no names like "anthropic/claude-sonnet-5". Change it?']);
    expect(read(cwd, 'a.yaml')).toBe(text.replace('anthropic/claude', 'claude'));
    expect(code).toBe(0);
  });

  it('changes nothing that the user declines, and asks nothing with --yes', async () => {
    const cwd = temporaryFolder({ 'a.yaml': misspelt });
    const refused = await atTerminal(cwd, ['check', 'a.yaml', '--fix'], false);
    expect([refused.code, refused.asked.length]).toEqual([1, 2]);
    expect((await atTerminal(cwd, ['check', 'a.yaml', '--fix', '--yes'], true)).asked).toEqual([]);
    expect(read(cwd, 'a.yaml')).toBe(misspelt);
  });

  it('does not remove a setting that has no effect only because another one is misspelt', async () => {
    const cwd = temporaryFolder({ 'a.yaml': misspelt });
    expect((await runGw(cwd, ['check', 'a.yaml'])).out).toContain('cannot be "conditonal"');
    await runGw(cwd, ['check', 'a.yaml', '--fix']);
    expect(read(cwd, 'a.yaml')).toContain('default: fast');
  });

  it('corrects the names of members that end with a space or are misspelt', async () => {
    const cwd = temporaryFolder({ 'a.json': { 'provider ': 'echo', 'request-timeuot': 9 } });
    const { code } = await atTerminal(cwd, ['check', 'a.json', '--fix'], true);
    expect(code).toBe(0);
    expect(JSON.parse(read(cwd, 'a.json'))).toEqual({ provider: 'echo', request_timeout: 9 });
  });

  it('writes through a link, shows no secret, and rejects --yes without --fix', async () => {
    const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789';
    const cwd = temporaryFolder({ 'real.json': `{'provider': "openai", "api_key": "${secret}"}` });
    symlinkSync('real.json', path.join(cwd, 'a.json'));
    const { out } = await runGw(cwd, ['check', 'a.json', '--fix']);
    expect(out).not.toContain('sk-proj');
    expect(JSON.parse(read(cwd, 'real.json'))).toEqual({ provider: 'openai', api_key: secret });
    expect(read(cwd, 'a.json')).toBe(read(cwd, 'real.json'));
    expect((await runGw(cwd, ['check', 'a.json', '--yes'])).code).toBe(2);
  });

  it('reports in JSON how each finding can be corrected', async () => {
    const cwd = temporaryFolder({ 'a.json': { provider: 'ecko' } });
    const { out } = await runGw(cwd, ['check', 'a.json', '--format', 'json']);
    expect(JSON.parse(out).files[0].diagnostics[0].fix).toEqual({
      kind: 'guess',
      edits: [{ kind: 'set', at: '/provider', value: 'echo' }],
    });
  });

  it('corrects the gateway file too: its syntax automatically, and guesses if they are confirmed', async () => {
    const text = '{\n  // ours\n  \'configs\': \'configs\',\n  "default_confg": "a"\n}\n';
    const cwd = temporaryFolder({ 'gateway.json': text, 'configs/a.json': { provider: 'echo' } });
    const alone = await runGw(cwd, ['check', 'configs', '--fix']);
    expect(alone.code).toBe(1);
    expect(read(cwd, 'gateway.json')).toBe(text.replaceAll("'", '"'));
    const { code, asked } = await atTerminal(cwd, ['check', 'configs', '--fix'], true);
    expect([code, asked]).toEqual([0, ['"default_confg" is not a setting here. Change it?']]);
    expect(read(cwd, 'gateway.json')).toBe(text.replaceAll("'", '"').replace('default_confg', 'default_config'));
  });

  it('checks configs against the corrected gateway file', async () => {
    const cwd = temporaryFolder({
      'gateway.json': '{ \'providers\': { "main": { "provider": "echo" } } }',
      'configs/a.json': { provider: '@main' },
    });
    const { code, out } = await runGw(cwd, ['check', 'configs', '--fix']);
    expect([code, out.split('\n').at(-2)]).toEqual([0, '1 file, nothing to report.']);
  });
});
