import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generatedValidators } from '../../../compiler/editor/generated/parameter-validators.ts';
import { validatorKey } from '../../../compiler/plugin-catalogue/validator-key.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { wholeParameters } from '../../../plugins/sdk/guardrail/guardrail-parameters.ts';
import { closeSchema } from '../../../plugins/sdk/parameters/close-schema.ts';
import { compileSchema } from '../../../plugins/sdk/parameters/compile-schema.ts';
import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import { canonicalJson } from '../../../schema/json/canonical.ts';
import { isSameJson } from '../../../schema/json/is-same-json.ts';
import { sha256 } from '../../../schema/text/sha256.ts';
import { editorPackages, root } from '../../../tools/build/package-modules.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const entry = 'compiler/editor/api.ts';

/** An import or export of values. Types are gone when the code runs. */
const imported = /^(?:import|export)\s+(?!type\s)(?:([^'";]*?)\s*from\s*)?'([^']+)'/gm;

const isTypes = (names: string | undefined): boolean =>
  /^\{[^}]*\}$/.test(names ?? '') &&
  (names ?? '')
    .slice(1, -1)
    .split(',')
    .every((name) => name.trim() === '' || name.trim().startsWith('type '));

/** Returns the text of every module reachable from an entry, and the packages that these modules import. */
const reach = (
  from: string,
): { readonly texts: ReadonlyMap<string, string>; readonly packages: ReadonlySet<string> } => {
  const texts = new Map<string, string>();
  const packages = new Set<string>();
  const open = [from];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (texts.has(file)) continue;
    const text = readFileSync(path.join(root, file), 'utf8');
    texts.set(file, text);
    for (const [, names, specifier = ''] of text.matchAll(imported)) {
      if (isTypes(names)) continue;
      if (specifier.startsWith('.')) open.push(path.posix.join(path.posix.dirname(file), specifier));
      else packages.add(specifier);
    }
  }
  return { texts, packages };
};

describe('the modules of the browser editor', () => {
  const { texts, packages } = reach(entry);

  it('import no Node modules and only the listed packages', () => {
    expect(texts.size).toBeGreaterThan(250);
    expect([...packages].sort()).toEqual(editorPackages);
  });

  it('do not compile code from strings', () => {
    const code = /\bnew Function\b|\beval\(|\bBuffer\.|\bimport\(/;
    expect([...texts].filter(([, text]) => code.test(text)).map(([file]) => file)).toEqual([]);
  });

  it('are checked by a walk that detects Node modules in other code', () => {
    expect(reach('compiler/emit/load-ts-morph.ts').packages).toContain('node:module');
  });
});

describe('a pre-generated validator', () => {
  const values = [null, true, -1, 1.5, 0, '', 'x', '(', [], ['x', 'x'], [1], {}, { x: 1 }];

  /** Values that fit a schema more or less, with each member wrong in turn. */
  const samples = ({ properties = {} }: ParameterSchema): readonly object[] =>
    Object.keys(properties).flatMap((name) => values.map((value) => ({ [name]: value })));

  it.each([
    ...builtinPlugins.flatMap(({ guardrails = [] }) =>
      guardrails.map(({ id, parameters }) => [id, wholeParameters(parameters)] as const),
    ),
    ...builtinPlugins.flatMap(({ providers = [] }) =>
      providers.flatMap(({ id, ownSettings }) => (ownSettings === undefined ? [] : [[id, ownSettings] as const])),
    ),
  ])('validates parameters of %s as their schema does', (_, schema) => {
    const validate = generatedValidators()[validatorKey(closeSchema(schema))];
    for (const sample of [...values, ...samples(schema)]) {
      const compiled = compileSchema(schema).validate(sample);
      const value: unknown = structuredClone(sample);
      expect(validate?.(value)).toBe(compiled.errors.length === 0);
      if (compiled.errors.length === 0) expect(value).toEqual(compiled.value);
    }
  });
});

it('sha256 matches the hash of Node', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      expect(sha256(text)).toBe(hash('sha256', text, 'hex'));
    }),
    lawRuns,
  );
});

it('isSameJson agrees with a comparison of canonical forms', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (a, b) => {
      expect(isSameJson(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
      expect(isSameJson(a, structuredClone(a))).toBe(true);
    }),
    lawRuns,
  );
});
