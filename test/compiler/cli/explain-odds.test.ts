import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type GwRun, runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const asks = (name: string): JsonObject => ({
  ...{ name, provider: 'openai', api_key: '${env:KEY}' },
  override_params: { model: name },
});
const fallback: JsonObject = {
  ...{ strategy: { mode: 'fallback' }, retry: { attempts: 1 } },
  targets: [asks('cheap'), asks('dear')],
};
const conditional: JsonObject = {
  strategy: {
    mode: 'conditional',
    conditions: [{ query: { 'metadata.tier': 'gold' }, then: 'dear' }],
    default: 'cheap',
  },
  targets: [asks('cheap'), asks('dear')],
};
const gateway = { prices: { openai: { cheap: { input: 1, output: 2 }, dear: { input: 10, output: 20 } } } };

const run = (config: JsonObject, ...argv: readonly string[]): Promise<GwRun> =>
  runGw(temporaryFolder({ 'a.json': config, 'gateway.json': gateway }), [
    ...['explain', 'a.json', '--config', 'gateway.json'],
    ...argv,
  ]);

const lines = async (config: JsonObject, ...argv: readonly string[]): Promise<readonly string[]> => {
  const { out } = await run(config, ...argv);
  const all = out.split('\n');
  return all.slice(all.findIndex((line) => line.startsWith('the odds'))).map((line) => line.trim());
};

describe('gw explain --odds', () => {
  it('prints how likely targets are to be reached, and the expected calls, waits and cost', async () => {
    expect(await lines(fallback, '--fail', 'cheap=0.1', '--tokens', '1000000,500000')).toEqual([
      'the odds of one request, if 10 % of the calls of cheap fail (503)',
      '100 % are answered with a success',
      'calls: 1.11 expected, at most 4',
      'waits: 75 ms expected, an answer begins within 40 min 2 s',
      'cost: $2.18 expected and at most $44',
      'target  is reached  answers  calls',
      'cheap   100 %       99 %     1.1',
      'dear    1 %         1 %      0.01',
      '',
    ]);
  });

  it('returns exact fractions as JSON, and omits odds from the text unless requested', async () => {
    const { out } = await run(fallback, '--format', 'json', '--fail', 'cheap=0.1:timeout', '--fail', 'dear=1:400');
    const { odds } = JSON.parse(out);
    expect(odds).toMatchObject({
      failures: [
        { target: 'cheap', probability: '1/10', status: 408, origin: 'timeout' },
        { target: 'dear', probability: '1/1', status: 400, origin: 'upstream' },
      ],
      tokens: null,
      kinds: [
        {
          conditions: [],
          served: { exact: '9/10', value: 0.9 },
          calls: { expected: { exact: '11/10' }, worst: 4 },
          waitMs: { expected: { exact: '60000/1', value: 60_000 } },
          usd: { expected: null, worst: null },
        },
      ],
      isComplete: true,
    });
    expect((await run(fallback)).out).not.toContain('the odds');
  });

  it('shows the odds of each kind of request that conditionals distinguish', async () => {
    const all = await lines(conditional, '--odds');
    expect(all.filter((line) => line.startsWith('requests'))).toEqual([
      'requests where no other condition matches (config)',
      'requests where metadata.tier is "gold" (config)',
    ]);
    expect(all.filter((line) => /^(?:cheap|dear) /.test(line))).toEqual([
      'cheap   100 %       100 %    1',
      'dear    100 %       100 %    1',
    ]);
  });

  it('stays fast if very many branches fail', async () => {
    const targets = Array.from({ length: 100 }, (_, index) => asks(`t${index}`));
    const inner = (at: number): JsonObject => ({
      strategy: { mode: 'fallback' },
      targets: Array.from({ length: 50 }, (_, index) => asks(`n${at}-${index}`)),
    });
    const config = { strategy: { mode: 'fallback' }, targets: [...targets.slice(0, 60), ...[0, 1, 2].map(inner)] };
    const fails = [
      ...Array.from({ length: 60 }, (_, index) => `t${index}`),
      ...Array.from({ length: 50 }, (_, index) => `n0-${index}`),
    ];
    const { code, out } = await run(config, '--odds', ...fails.flatMap((id) => ['--fail', `${id}=0.999983`]));
    expect(code).toBe(0);
    expect(out).toContain('too unlikely to be followed');
  });

  it.each([
    [['--fail', 'cheap=0.1', '--fail', 'cheap=0.2:429'], 'The flag --fail is given twice for "cheap".'],
    [['--fail', 'chaep=0.1'], 'The plan has no target "chaep". Did you mean "cheap"?'],
    [['--fail', 'cheap'], 'The flag --fail cannot be "cheap".'],
    [['--fail', 'cheap=1.5'], 'The flag --fail cannot be "cheap=1.5".'],
    [['--fail', 'cheap=0.1234567'], 'The flag --fail cannot be "cheap=0.1234567".'],
    [['--fail', 'cheap=0.1:200'], 'The flag --fail cannot be "cheap=0.1:200".'],
    [['--fail', 'cheap=0.1:429:1'], 'The flag --fail cannot be "cheap=0.1:429:1".'],
    [['--tokens', '5'], 'The flag --tokens cannot be "5".'],
    [['--tokens', '-1,5'], 'The flag --tokens cannot be "-1,5".'],
  ])('rejects %j in one sentence', async (argv, message) => {
    const { code, err } = await run(fallback, ...argv);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
