import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import type { DeclaredLabel, DeclaredLabels } from '../../../schema/config/declared-labels.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { testCatalogue, testSaved } from '../../support/plans/catalogue.ts';

describe('labels that the gateway file declares', () => {
  it.each<[string, DeclaredLabel, string, string]>([
    ['plan', { pattern: '(?=a)' }, '/metadata/plan/pattern', 'not a valid pattern'],
    ['plan', { enum: [] }, '/metadata/plan/enum', 'no value fits'],
    [
      'plan',
      { type: 'string', enum: ['gold', 5] },
      '/metadata/plan/enum',
      'has the value 5, but the label must be a string',
    ],
    ['plan', { const: 'platinum', maxLength: 4 }, '/metadata/plan/const', 'of at most 4 characters'],
    ['plan', { minLength: 5, maxLength: 4 }, '/metadata/plan/minLength', '"minLength" is above "maxLength"'],
    ['plan', { minimum: 5, maximum: 4 }, '/metadata/plan/minimum', '"minimum" is above "maximum"'],
    ['plan', { required: true }, '/metadata/plan/required', 'no effect without "enforce"'],
    ['a.b', { type: 'string' }, '/metadata/a.b', 'No condition can name the label "a.b"'],
    ['plan ', { type: 'string' }, '/metadata/plan ', 'No condition can name the label "plan "'],
  ])('are rejected if no value fits, or if no condition can name them: %s %j', async (name, label, pointer, words) => {
    const cwd = temporaryFolder({ 'gateway.json': { metadata: { [name]: label } }, 'a.json': { provider: 'echo' } });
    const { out } = await runGw(cwd, ['check', 'a.json', '--config', 'gateway.json', '--format', 'json']);
    expect(JSON.parse(out).files[0].diagnostics).toMatchObject([
      { code: 'invalid-label', severity: 'error', pointer, message: expect.stringContaining(words) },
    ]);
  });

  it('must be objects with the JSON Schema members for single values', async () => {
    const metadata = { plan: 'gold', team: { oneOf: [] }, seats: { enum: [null] } };
    const cwd = temporaryFolder({ 'gateway.json': { metadata }, 'a.json': { provider: 'echo' } });
    const { out } = await runGw(cwd, ['check', 'a.json', '--config', 'gateway.json', '--format', 'json']);
    const codes = JSON.parse(out).files[0].diagnostics.map(({ code }: { readonly code: string }) => code);
    expect(codes).toEqual(['wrong-type', 'unknown-key', 'wrong-type']);
  });

  it('apply to every config that is checked with the file, inside its folder of configs or not', async () => {
    const config = {
      strategy: { mode: 'conditional', conditions: [{ query: { 'metadata.paln': 'gold' }, then: 'a' }], default: 'b' },
      targets: [
        { name: 'a', provider: 'openai', api_key: '${env:KEY}' },
        { name: 'b', provider: 'groq', api_key: '${env:GROQ_KEY}' },
      ],
    };
    const cwd = temporaryFolder({
      'gateway.json': { configs: 'configs', metadata: { plan: { enum: ['free', 'gold'] } } },
      'a.json': config,
      'configs/b.json': config,
    });
    const { out } = await runGw(cwd, ['check', 'a.json', 'configs', '--config', 'gateway.json', '--format', 'json']);
    const { files }: { readonly files: readonly { readonly diagnostics: readonly { readonly code: string }[] }[] } =
      JSON.parse(out);
    expect(files.map(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual([
      ['undeclared-label'],
      ['undeclared-label'],
    ]);
  });

  const findCodes = (labels: DeclaredLabels, ...queries: readonly object[]): readonly string[] =>
    compile(
      JSON.stringify({
        strategy: {
          mode: 'conditional',
          conditions: queries.map((query, index) => ({ query, then: index === 0 ? 'a' : 'b' })),
          default: 'b',
        },
        targets: [
          { name: 'a', provider: '@openai-prod' },
          { name: 'b', provider: '@azure-prod' },
        ],
      }),
      { trust: 'operator', catalogue: testCatalogue, saved: { ...testSaved, labels } },
    ).diagnostics.map(({ code }) => code);

  const plan: DeclaredLabel = { enum: ['free', 'gold'], enforce: true };

  it('make conditions unreachable that only rejected requests could meet', () => {
    expect(findCodes({ plan }, { 'metadata.plan': { $nin: ['free', 'gold'] }, 'metadata.plan2': 1 })).toContain(
      'undeclared-label',
    );
    const others = { 'metadata.plan': { $exists: true, $nin: ['free', 'gold'] } };
    expect(findCodes({ plan }, others)).toEqual(['unreachable-condition']);
    expect(findCodes({ plan: { enum: ['free', 'gold'] } }, others)).toEqual([]);
    const rest = { 'metadata.plan': { $exists: true } };
    expect(findCodes({ plan }, { 'metadata.plan': 'gold' }, { 'metadata.plan': 'free' }, rest)).toEqual([
      'unreachable-condition',
    ]);
  });

  it('need not include those that the gateway itself adds to requests', () => {
    const own = { 'metadata._user': 'a', 'metadata._organisation': 'b', 'metadata._prompt': 'c' };
    expect(findCodes({ plan }, { ...own, 'metadata._mirror': { $exists: true } })).toEqual([]);
    expect(findCodes({ plan }, { 'metadata._usr': 'a' })).toEqual(['undeclared-label']);
    expect(findCodes({ plan, _usr: { type: 'string' } }, { 'metadata._usr': 'a' })).toEqual([]);
  });

  it('are compared with the values in conditions', () => {
    expect(findCodes({ plan: { enum: ['free', 'gold'] } }, { 'metadata.plan': 'Gold' })).toEqual(['undeclared-value']);
    expect(findCodes({ plan: { enum: ['free', 'gold'] } }, { 'metadata.plan': { $ne: 'silver' } })).toEqual([
      'undeclared-value',
    ]);
    expect(findCodes({ plan: { enum: ['free', 'gold'] } }, { 'metadata.plan': { $regex: '^s' } })).toContain(
      'undeclared-value',
    );
    expect(findCodes({ seats: { type: 'integer' } }, { 'metadata.seats': '5' })).toEqual(['undeclared-value']);
    expect(findCodes({ plan: { enum: ['free', 'gold'] } }, { 'metadata.plan': null })).toEqual(['null-comparison']);
    expect(findCodes({ plan: { enum: ['free', 'gold'] } }, { 'metadata.constructor': 'x' })).toEqual([
      'undeclared-label',
    ]);
  });
});
