import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkConfig, compile } from '../../../compiler/compile.ts';
import { renderDiagnostic } from '../../../compiler/diagnostic-text/render.ts';
import { configKeys } from '../../../schema/generated/config-keys.ts';
import { canonicalJson } from '../../../schema/json/canonical.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import type { CompileResult } from '../../../schema/plan/plan.ts';
import { config } from '../../support/arbitraries/config.ts';
import { scriptedCatalogue } from '../../support/arbitraries/scripted-catalogue.ts';
import { testCatalogue as catalogue, testSaved as saved } from '../../support/plans/catalogue.ts';
import { dearLawRuns } from '../../support/run/law-runs.ts';

const { numRuns } = dearLawRuns;
const trusts = ['operator', 'caller'] as const;

const compiled = (text: string): readonly CompileResult[] =>
  trusts.map((trust) => compile(text, { trust, catalogue, saved }));

/** Words that configs use, so that arbitrary JSON gets past the first checks. */
const words = [
  ...new Set(Object.values(configKeys).flat()),
  ...['metadata.tier', 'params.model', 'url.pathname', '$eq', '$in', '$regex', '$or', 'default.contains', 'words'],
];

const scalars: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>('fallback', 'loadbalance', 'conditional', 'single', 'openai', 'echo', '@openai-prod', 'a'),
  fc.constantFrom<Json>(0, 1, 0.5, 429, 30_000, -1, 1e300, true, false, null, '', '(', '__proto__'),
  fc.constantFrom<Json>('${env:KEY}', '${file:/run/x}', '${env', 'http://127.0.0.1/v1', 'team-a', 'no-secrets'),
);

/** JSON that resembles a config, and sometimes is one. */
const configLike: fc.Arbitrary<Json> = fc.letrec<{ value: Json; object: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalars,
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...words), fc.constantFrom('x', '__proto__', 'a/b~')), tie('value'), {
    maxKeys: 6,
    noNullPrototype: true,
  }),
})).object;

/** Returns a plain config with a secret in every place that can have one. */
const targetWith = (secret: string): Json => ({
  provider: 'openai',
  api_key: secret,
  cloudc_access_key_id: `${secret}-id`,
  cloudc_secret_access_key: `${secret}-key`,
  cloudc_session_token: `${secret}-token`,
  cloudb_service_account_json: { private_key: secret, more: { deep: secret }, [`also ${secret.length}`]: secret },
});

const reversed = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
};

/** Returns everything that a compiler reports, except the places in the text. */
const outcome = ({ plan, secrets, diagnostics }: CompileResult): string => {
  const found = diagnostics.map(({ code, message, hint, pointer }) => `${code} ${pointer} ${message} ${hint}`);
  return [plan === undefined ? '' : canonicalJson(plan), ...secrets, ...found.sort()].join('\n');
};

const isInside = (text: string, { diagnostics }: CompileResult): boolean =>
  diagnostics.every(({ span: { offset, length, line, column } }) => {
    const before = text.slice(0, offset).split(/\r\n|\n|\r/);
    return (
      offset >= 0 &&
      length >= 0 &&
      offset + length <= text.length &&
      line === before.length &&
      column === (before.at(-1) ?? '').length + 1
    );
  });

describe('compile', () => {
  it('never throws on any text, and places every finding inside it', () => {
    const pieces = fc.array(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '//', '/*', '\n', '\r\n', 'a', '1'),
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      pieces.map((parts) => parts.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (any) => compiled(any).every((result) => isInside(any, result))),
      { numRuns },
    );
  });

  it('never throws on a damaged config, and returns a plan or an error', () => {
    const folder = new URL('../../../schema/examples/', import.meta.url);
    const texts = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
    const piece = fc.constantFrom('', '{', '}', '[', ',', '"', 'null', '5', '-1', '"x"', '{}', '[]', 'true', '[5]');
    const damage = fc.tuple(fc.nat(), piece, fc.boolean());
    const damaged = (text: string, [where, by, whole]: readonly [number, string, boolean]): string => {
      const values = [...text.matchAll(/"[^"\n]*"|\d+|true|false|[{[]/g)];
      const { index = 0, 0: value = '' } = values[where % Math.max(1, values.length)] ?? {};
      const at = whole ? index : where % (text.length + 1);
      return text.slice(0, at) + by + text.slice(at + (whole ? value.length : 1));
    };
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(damage, { minLength: 1, maxLength: 3 }), (text, damages) => {
        const broken = damages.reduce(damaged, text);
        for (const result of compiled(broken)) {
          expect(isInside(broken, result)).toBe(true);
          expect(result.plan === undefined).toBe(result.diagnostics.some(({ severity }) => severity === 'error'));
        }
      }),
      { numRuns: 3 * numRuns },
    );
  });

  it('has the same findings as checkConfig', () => {
    fc.assert(
      fc.property(fc.oneof(config, configLike), (value) => {
        const text = JSON.stringify(value);
        for (const trust of trusts) {
          const options = { trust, catalogue, saved };
          const { plan, diagnostics, missing } = compile(text, options);
          const checked = checkConfig(text, options);
          expect(checked).toMatchObject({ diagnostics, missing });
          expect(checked.name).toBe(plan?.name);
        }
      }),
      { numRuns },
    );
  });

  it('never throws on JSON that resembles a config, and its findings can be rendered', () => {
    fc.assert(
      fc.property(configLike, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        for (const result of compiled(text)) {
          expect(isInside(text, result)).toBe(true);
          expect(result.plan === undefined).toBe(result.diagnostics.some(({ severity }) => severity === 'error'));
          for (const found of result.diagnostics) expect(renderDiagnostic(found, { text })).toContain(found.message);
        }
      }),
      { numRuns },
    );
  });

  it('returns the same result for the same text', () => {
    fc.assert(
      fc.property(configLike, (value) => {
        const text = JSON.stringify(value);
        const [first, second] = [compiled(text), compiled(text)];
        return canonicalJson(first) === canonicalJson(second);
      }),
      { numRuns: Math.ceil(numRuns / 5) },
    );
  });

  it('ignores the order of keys', () => {
    fc.assert(
      fc.property(configLike, (value) => {
        const [one, other] = [value, reversed(value)].map((each) => compiled(JSON.stringify(each)).map(outcome).join());
        return other === one;
      }),
      { numRuns },
    );
  });

  it('ignores the order of keys in a valid config', () => {
    fc.assert(
      fc.property(config, (value) => {
        const [one, other] = [value, reversed(value)].map((each) =>
          compile(JSON.stringify(each), { trust: 'operator', catalogue: scriptedCatalogue }),
        );
        expect(one?.plan).toBeDefined();
        return one !== undefined && other !== undefined && outcome(one) === outcome(other);
      }),
      { numRuns },
    );
  });

  it('reveals no secret', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9+/=_-]{8,40}$/).map((text) => `s3cr3t${text}`);
    const place = fc.constantFrom<(secret: Json) => Json>(
      (target) => target,
      (target) => ({ strategy: { mode: 'fallback' }, targets: [target, target] }),
      (target) => ({ strategy: { mode: 'fallbck' }, targets: [{ provder: 'openai', virtual_key: 5 }, target] }),
      (target) => ({ ...(isJsonObject(target) ? target : {}), weight: 'x', provider: 'nobody' }),
      (target) => ({ ...(isJsonObject(target) ? target : {}), provider: '@openai-prod', virtual_key: 'team-z' }),
      (target) => ({ ...(isJsonObject(target) ? target : {}), provider: 'vault', api_key: 7 }),
    );
    fc.assert(
      fc.property(secret, place, fc.constantFrom(undefined, 2), (hidden, at, indent) => {
        const text = JSON.stringify(at(targetWith(hidden)), null, indent);
        for (const { plan, diagnostics } of compiled(text)) {
          const shown = diagnostics.map((found) => renderDiagnostic(found, { text }));
          expect(JSON.stringify([plan ?? null, diagnostics, shown])).not.toContain(hidden);
        }
      }),
      { numRuns },
    );
  });

  it('reports a syntax error for texts that are nested deeper than any config', () => {
    for (const text of ['['.repeat(100_000), '{"a":'.repeat(100_000), `${'['.repeat(5000)}${']'.repeat(5000)}`])
      for (const { diagnostics } of compiled(text)) expect(diagnostics[0]?.code).toBe('syntax-error');
  });
});
