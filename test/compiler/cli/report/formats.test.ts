import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompiledFile } from '../../../../compiler/cli/report/compiled-file.ts';
import { formatGithub } from '../../../../compiler/cli/report/format-github.ts';
import { formatSarif } from '../../../../compiler/cli/report/format-sarif.ts';
import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { runGw } from '../../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';

const strict = (required: readonly string[], properties: object): object => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});

const text = { type: 'string', minLength: 1 };
const message = strict(['text'], { text });
const oneOrMore = { type: 'integer', minimum: 1 };

/** The rules of SARIF 2.1.0 for the members that are written (sections 3.13, 3.14, 3.19, 3.27 to 3.30 and 3.49). */
const sarif = strict(['version', 'runs'], {
  $schema: { type: 'string', format: 'uri' },
  version: { const: '2.1.0' },
  runs: {
    type: 'array',
    items: strict(['tool'], {
      tool: strict(['driver'], {
        driver: strict(['name'], {
          name: text,
          semanticVersion: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
          rules: { type: 'array', uniqueItems: true, items: strict(['id'], { id: text }) },
        }),
      }),
      columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
      results: {
        type: 'array',
        items: strict(['message'], {
          ruleId: text,
          ruleIndex: { type: 'integer', minimum: 0 },
          level: { enum: ['none', 'note', 'warning', 'error'] },
          message,
          locations: {
            type: 'array',
            items: strict([], {
              physicalLocation: strict(['artifactLocation'], {
                artifactLocation: strict(['uri'], { uri: { type: 'string', format: 'uri-reference' } }),
                region: strict(['startLine'], {
                  startLine: oneOrMore,
                  startColumn: oneOrMore,
                  endLine: oneOrMore,
                  endColumn: oneOrMore,
                }),
              }),
              logicalLocations: {
                type: 'array',
                uniqueItems: true,
                items: strict([], { fullyQualifiedName: text, kind: text }),
              },
            }),
          },
          partialFingerprints: { type: 'object', additionalProperties: text },
        }),
      },
    }),
  },
});

const isSarif = new Ajv({
  allErrors: true,
  formats: {
    uri: (given: string) => URL.canParse(given),
    'uri-reference': (given: string) => /^[\w!#$&'()*+,./:;=?@~%-]*$/.test(given),
  },
}).compile(sarif);

const files = {
  'configs/a b,c.json': '{\n  "provider": "ecko",\n  "targts": []\n}\n',
  'configs/broken.yaml': 'provider: [\n',
  'configs/good.yml': 'provider: echo\n',
};

const anyDiagnostic: fc.Arbitrary<CompiledFile> = fc
  .tuple(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 20, minLength: 1 }),
    fc.nat(40),
    fc.nat(9),
  )
  .map(([written, words, offset, length]) => {
    const found: Diagnostic = {
      code: 'unknown-key',
      severity: 'warning',
      message: words,
      hint: words,
      pointer: '/a' as JsonPointer,
      span: { offset: Math.min(offset, written.length), length, line: 1, column: 1 },
    };
    return { file: `f/${words.replaceAll('/', '')}`, text: written, diagnostics: [found] };
  });

describe('gw check --format sarif', () => {
  it('writes valid SARIF 2.1.0 with the place of each finding, and the same for the same files', async () => {
    const cwd = temporaryFolder(files);
    const { code, out, err } = await runGw(cwd, ['check', 'configs', '--format', 'sarif']);
    expect([code, err]).toEqual([1, '']);
    const log = JSON.parse(out);
    expect(isSarif(log), JSON.stringify(isSarif.errors)).toBe(true);
    const [{ results, tool }] = log.runs;
    expect(results).toMatchObject([
      {
        ruleId: 'unknown-provider',
        level: 'error',
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'configs/a%20b%2Cc.json' },
              region: { startLine: 2, startColumn: 15, endLine: 2, endColumn: 21 },
            },
            logicalLocations: [{ fullyQualifiedName: '/provider' }],
          },
        ],
      },
      { ruleId: 'unknown-key' },
      { ruleId: 'syntax-error' },
    ]);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]).toEqual({ id: ruleId });
    expect((await runGw(cwd, ['check', 'configs', '--format', 'sarif'])).out).toBe(out);
  });

  it('writes valid SARIF if nothing is found and for findings with any text', async () => {
    const { code, out } = await runGw(temporaryFolder(files), ['check', 'configs/good.yml', '--format', 'sarif']);
    expect(code).toBe(0);
    expect(isSarif(JSON.parse(out))).toBe(true);
    fc.assert(
      fc.property(anyDiagnostic, (file) => {
        fc.pre(file.file.isWellFormed());
        expect(isSarif(JSON.parse(formatSarif([file], '1.2.3'))), JSON.stringify(isSarif.errors)).toBe(true);
      }),
    );
  });
});

describe('gw check --format github', () => {
  it('annotates each place, and escapes characters that would end a command', async () => {
    const { code, out } = await runGw(temporaryFolder(files), ['check', 'configs', '--format', 'github']);
    expect(code).toBe(1);
    const [first = '', ...rest] = out.trimEnd().split('\n');
    expect(first).toMatch(
      /^::error file=configs\/a b%2Cc\.json,line=2,endLine=2,col=15,endColumn=21,title=unknown-provider::There is no provider "ecko"\.%0ADid you mean "echo"\?/,
    );
    expect(rest.at(-1)).toBe('3 errors in 3 files.');
    expect(rest).toHaveLength(3);
  });

  it('writes one line from which the original text can be decoded', () => {
    const unescaped = (escaped: string): string =>
      escaped.replace(/%(0D|0A|25|3A|2C)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    fc.assert(
      fc.property(anyDiagnostic, (file) => {
        const out = formatGithub([file]);
        expect(out.split(/[\r\n]/)).toHaveLength(2);
        const [, properties = '', data = ''] = /^::warning (.*?)::(.*)\n$/s.exec(out) ?? [];
        expect(unescaped(data)).toBe(`${file.diagnostics[0]?.message}\n${file.diagnostics[0]?.hint}`);
        expect(unescaped(properties.split(',')[0]?.slice('file='.length) ?? '')).toBe(file.file);
      }),
    );
  });
});
