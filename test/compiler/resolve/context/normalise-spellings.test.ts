import { describe, expect, it } from 'vitest';
import { compile } from '../../../../compiler/compile.ts';
import { maskSecrets } from '../../../../compiler/diagnostic-text/mask-secrets.ts';
import { renderDiagnostic } from '../../../../compiler/diagnostic-text/render.ts';
import { emitPlanModule } from '../../../../compiler/emit/emit-plan-module.ts';
import { type SecondSpelling, secondSpellings, settingFields } from '../../../../schema/config/provider-fields.ts';
import type { Trust } from '../../../../schema/config/trust.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import type { CompileResult, KeptCompileResult } from '../../../../schema/plan/plan.ts';
import { testCatalogue as catalogue, testSaved as saved } from '../../../support/plans/catalogue.ts';
import { compiled, readTargets } from '../../../support/plans/compiled.ts';

const seconds = Object.keys(secondSpellings) as readonly SecondSpelling[];
const trusts: readonly Trust[] = ['operator', 'caller', 'saved'];

/** Returns a value that the field may have in a text of this trust: operators must write references, others literals. */
const toSample = (field: SecondSpelling, trust: Trust, which = 'one'): string => {
  if (field !== 'Authorization') return `acme-${which}`;
  return trust === 'operator' ? `\${env:KEY_${which.toUpperCase()}}` : `key-${which}`;
};

const azure = (trust: Trust, without: string): JsonObject =>
  Object.fromEntries(
    Object.entries({
      provider: 'azure-openai',
      resource_name: 'other',
      deployment_id: 'other',
      api_version: '2024-10-21',
      api_key: trust === 'operator' ? '${env:OTHER}' : 'other',
    }).filter(([name]) => name !== without),
  );

/** The levels of a config: the config itself, a target, and a target of a target. */
const levels: readonly (readonly [name: string, at: JsonPointer, around: (config: Json) => Json])[] = [
  ['a config', rootPointer, (config) => config],
  [
    'a target',
    childPointer(rootPointer, 'targets', 1),
    (config) => ({ strategy: { mode: 'loadbalance' }, targets: [{ provider: 'echo' }, config] }),
  ],
  [
    'a nested target',
    childPointer(rootPointer, 'targets', 0, 'targets', 0),
    (config) => ({
      strategy: { mode: 'fallback' },
      targets: [{ strategy: { mode: 'loadbalance' }, targets: [config, { provider: 'echo' }] }, { provider: 'echo' }],
    }),
  ],
];

const each = seconds.flatMap((second) =>
  trusts.flatMap((trust) => levels.map(([level, at, around]) => ({ second, trust, level, at, around }))),
);

const kept = (config: Json, trust: Trust): KeptCompileResult =>
  compile(JSON.stringify(config), { trust, catalogue, saved });

const listDiagnostics = ({ diagnostics }: Pick<CompileResult, 'diagnostics'>): readonly string[] =>
  diagnostics.map(({ code, pointer }) => `${code} ${pointer}`);

describe.each(each)('$second in $level with the trust $trust', ({ second, trust, at, around }) => {
  const first = secondSpellings[second];
  const rest = azure(trust, first);
  const value = toSample(second, trust);
  const written = second === 'Authorization' ? [value, `Bearer ${value}`, `bearer  ${value} `] : [value];

  it('compiles to the same plan as its first spelling', () => {
    const meant = compiled(around({ ...rest, [first]: value }), trust);
    expect(meant.plan).toBeDefined();
    for (const text of written) {
      const result = compiled(around({ ...rest, [second]: text }), trust);
      expect(listDiagnostics(result)).toEqual([]);
      expect(result.plan).toEqual(meant.plan);
      expect(result.secrets).toEqual(meant.secrets);
    }
  });

  it('may be next to its first spelling if both have the same value', () => {
    const meant = compiled(around({ ...rest, [first]: value }), trust);
    for (const text of written) {
      const both = compiled(around({ ...rest, [first]: value, [second]: text }), trust);
      expect(both.plan).toEqual(meant.plan);
    }
  });

  it('conflicts with a different value of its first spelling, and the error shows neither secret', () => {
    const config = around({ ...rest, [first]: toSample(second, trust, 'two'), [second]: value });
    const result = compiled(config, trust);
    expect(listDiagnostics(result)).toEqual([`conflicting-spellings ${childPointer(at, second)}`]);
    const text = JSON.stringify(config);
    const shown = result.diagnostics.map((found) => renderDiagnostic(found, { text })).join('\n');
    if (second === 'Authorization' && trust !== 'operator') expect(shown).not.toMatch(/key-one|key-two/);
    expect(shown).toContain(`"${first}" and "${second}"`);
  });

  it('is the member that diagnostics point to and name', () => {
    const wrong = second === 'Authorization' && trust === 'operator' ? 'sk-literal' : '${env:WRONG}';
    const errors = compiled(around({ ...rest, [second]: wrong }), trust).diagnostics.filter(
      ({ severity }) => severity === 'error',
    );
    expect(errors.map(({ pointer }) => pointer)).toEqual([childPointer(at, second)]);
    expect(errors[0]?.message).not.toContain(`"${first}"`);
  });

  it('is diagnosed like its first spelling if it has the wrong type', () => {
    const [written = '', ...others] = listDiagnostics(compiled(around({ ...rest, [second]: 7 }), trust))
      .toSorted()
      .toReversed();
    expect(written).toBe(`wrong-type ${childPointer(at, second)}`);
    const [, ...same] = listDiagnostics(compiled(around({ ...rest, [first]: 7 }), trust))
      .toSorted()
      .toReversed();
    expect(others).toEqual(same);
  });

  it('is listed as a secret place if its first spelling would be, and both are if both are present', () => {
    if (second !== 'Authorization') {
      expect(kept(around({ ...rest, [second]: value }), trust).secretPlaces).toEqual([childPointer(at, 'api_key')]);
      return;
    }
    const alone = kept(around({ ...rest, [second]: `Bearer ${value}` }), trust);
    expect(alone.secretPlaces).toEqual([childPointer(at, second)]);
    const both = kept(around({ ...rest, [first]: value, [second]: `Bearer ${value}` }), trust);
    expect([...both.secretPlaces].sort()).toEqual([childPointer(at, second), childPointer(at, first)].sort());
  });
});

describe('Authorization', () => {
  it.each(['Basic dXNlcjpwYXNz', 'Bearer two words', 'Token abc'])(
    'with another scheme causes one error, which does not show it: %s',
    (value) => {
      for (const trust of ['caller', 'saved'] as const) {
        const result = compiled({ provider: 'openai', Authorization: value }, trust);
        expect(listDiagnostics(result)).toEqual(['authorization-scheme /Authorization']);
        expect(JSON.stringify(result)).not.toContain(value.split(' ')[1]);
      }
    },
  );

  it.each([
    ['Bearer sk-literal', 'inline-secret', /Write a reference/],
    ['Bearer $OPENAI_API_KEY', 'inline-secret', /env:OPENAI_API_KEY/],
    ['Basic ${env:KEY}', 'malformed-reference', /Write a reference/],
    ['Bearer ${env:MY-KEY}', 'malformed-reference', /Write a reference/],
    ['Bearer ', 'empty-credential', /Write a reference/],
    ['', 'empty-credential', /Write a reference/],
  ])('in a file must be a reference: %s', (value, code, hint) => {
    const { diagnostics } = compiled({ provider: 'openai', Authorization: value });
    expect(diagnostics.map((found) => [found.code, found.pointer])).toEqual([[code, '/Authorization']]);
    expect(diagnostics[0]?.hint).toMatch(hint);
    expect(diagnostics[0]?.message).not.toContain('api_key');
  });

  it('in a group has no effect, and a hint says to move it under the name that was written', () => {
    const target = { provider: 'openai' };
    const group = { Authorization: '${env:KEY}', strategy: { mode: 'single' }, targets: [target] };
    const { diagnostics } = compiled(group);
    expect(listDiagnostics({ diagnostics })).toEqual([
      'no-effect /Authorization',
      'missing-credentials /targets/0/provider',
    ]);
    expect(diagnostics[1]?.hint).toBe('Move "Authorization" into this target; targets do not inherit credentials.');
  });

  it('next to a saved credential is an error, like any other credential', () => {
    const { diagnostics } = compiled({ provider: '@openai-prod', Authorization: '${env:KEY}' });
    expect(listDiagnostics({ diagnostics })).toEqual(['mixed-credentials /Authorization']);
    expect(diagnostics[0]?.message).toContain('"provider" and "Authorization"');
  });

  it('is masked in every text unless it is a reference', () => {
    for (const value of ['Bearer sk-1234', 'sk-1234', 'Basic dXNlcjpwYXNz']) {
      expect(maskSecrets(JSON.stringify({ provider: 'openai', Authorization: value }))).toBe(
        JSON.stringify({ provider: 'openai', Authorization: value.replace(/./g, '•') }),
      );
      expect(maskSecrets(`{ "Authorization": "${value}", `)).not.toContain(value);
    }
    for (const value of ['Bearer ${env:KEY}', '${file:/run/key}']) {
      const text = JSON.stringify({ Authorization: value });
      expect(maskSecrets(text)).toBe(text);
    }
  });

  it('appears in the secrets of the typed module under its variable', async () => {
    const { plan } = compiled({ provider: 'openai', Authorization: 'Bearer ${env:MY_KEY}' });
    expect(plan && (await emitPlanModule(plan))).toMatch(/interface Secrets \{\s+readonly MY_KEY: string;?\s+\}/);
  });
});

describe('a setting of the config', () => {
  it.each(['clouda_resource_name', 'clouda_api_version'] as const)(
    'takes precedence over the saved one: %s',
    (second) => {
      const [target] = readTargets({ provider: '@azure-prod', deployment_id: 'd', [second]: 'nearer' });
      expect(target?.settings[secondSpellings[second]]).toBe('nearer');
      expect(Object.keys(target?.settings ?? {})).not.toContain(second);
    },
  );
});

it('no setting field is a second spelling, and no first spelling is also a second one', () => {
  expect(settingFields.filter((field) => field in secondSpellings)).toEqual([]);
  expect(Object.values(secondSpellings).filter((first) => first in secondSpellings)).toEqual([]);
});

it('clouda_model_name names the deployment for requests that name no model', () => {
  const config = { provider: 'azure-openai', api_key: '${env:KEY}', resource_name: 'acme', clouda_model_name: 'mini' };
  expect(listDiagnostics(compiled(config))).toEqual([]);
  const [{ settings } = { settings: {} }] = readTargets(config);
  const provider = catalogue.providers.get('azure-openai') ?? expect.unreachable();
  expect(provider.settingsModels?.(settings)).toEqual(['mini']);
});
