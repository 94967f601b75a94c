import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { maskSecrets } from '../../../compiler/diagnostic-text/mask-secrets.ts';
import { renderDiagnostic } from '../../../compiler/diagnostic-text/render.ts';
import { createReporter } from '../../../compiler/diagnostics/reporter.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { processorMs } from '../../support/gateways/processor-time.ts';
import { testCatalogue as catalogue } from '../../support/plans/catalogue.ts';

const rendered = (text: string, colour?: boolean): string =>
  compile(text, { trust: 'caller', catalogue })
    .diagnostics.map((found) => renderDiagnostic(found, { text, ...(colour === undefined ? {} : { colour }) }))
    .join('\n');

describe('a rendered diagnostic', () => {
  it('has colours only on request, and the same text either way', () => {
    const text = '{"provider":"nobody","api_key":"some-key-of-mine"}';
    const plain = rendered(text);
    const coloured = rendered(text, true);
    expect(plain).toBe(stripVTControlCharacters(plain));
    expect(coloured).not.toBe(plain);
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  });

  it('shows the part of a long line around the finding, and marks the finding below it', () => {
    const text = JSON.stringify({
      provider: 'echo',
      override_params: { stop: 'x'.repeat(900) },
      wieght: 1,
      name: 'y'.repeat(900),
    });
    const [, , line = '', marks = ''] = rendered(text).split('\n');
    expect(line.length).toBeLessThan(160);
    expect(line.slice(marks.indexOf('^'), marks.lastIndexOf('^') + 1)).toBe('"wieght"');
  });

  it('hides secrets in a file that begins with a byte order mark, and counts columns without the mark', () => {
    const text = '\ufeff{ "provider": "openai", "wieght": 1, "keys": [\n  "some-key-of-mine"\n] }';
    const { diagnostics } = compile(text, { trust: 'operator', catalogue, file: 'prod.json' });
    const [wieght, keys] = diagnostics.map((found) => renderDiagnostic(found, { text }).split('\n'));
    expect(keys?.[2]).toBe('2 │   "••••••••••••••••"');
    expect(wieght?.[1]).toContain('prod.json:1:25  /wieght');
    expect(wieght?.[2]).toBe('1 │ { "provider": "openai", "wieght": 1, "keys": [');
    expect(wieght?.[3]).toBe(`  │ ${' '.repeat(24)}^^^^^^^^`);
  });

  it('marks a character at the end of a truncated text', () => {
    expect(rendered('{"provider":').split('\n').at(3)).toMatch(/\^$/);
  });

  it.each([
    ['{"conditions":[{"key":"endpoint type","value":"x"}]}', '"endpoint type"'],
    ['{"conditions":[{"key":"metadta.team","value":"x"}]}', '"metadta.team"'],
    ['{"group_by":[{"key":"metadata.team_1"}]}', '"metadata.team_1"'],
    ['{"conditions":[{"key":"sk-0123456789abcdef"}]}', '"•••••••••••••••••••"'],
    ['{"conditions":[{"api_key":"endpoint"}]}', '"••••••••"'],
    ['{"auth":{"conditions":[{"key":"my-key-1"}]}}', '"••••••••"'],
  ])('shows the facts that a policy tests, and no keys: %s', (text, shown) => {
    const span = { offset: 0, length: 1, line: 1, column: 1 };
    const diagnostic = {
      code: 'invalid-input',
      severity: 'error',
      message: 'It is wrong.',
      pointer: rootPointer,
      span,
    } as const;
    expect(renderDiagnostic(diagnostic, { text }).split('\n')[2]).toContain(shown);
  });

  it.each([
    '{"provider":"nobody","api_key":"sk-0123456789"}',
    '{"provider":"nobody","api_key":"sk-\\"0123456789"}',
    '{"provider":"nobody" "api_key":"sk-0123456789"}',
    '{"provider":"nobody","API_KEY":"sk-0123456789"}',
    '{"wrong":1,"cloudb_service_account_json":{"a":{"b":"c"},"d":["sk-0123456789"]}}',
    '{"provider":"openai","api_key":"k","custom_host":"https://me:sk-0123456789@host.example"}',
    '{"provider":"openai","api_key":"k","custom_host":"https://host.example/v1?key=sk-0123456789"}',
    '{"provider":"openai","api_key":"k","custom_host":"https://host.example/v1?a=b&c=sk-0123456789#d"}',
    '{"provider":"openai","api_key":"k","custom_host":"https://host.example/v1#sk-0123456789"}',
    '{"provider":"nobody","api_key":"sk-0123456789',
    '{"provider":"nobody","override_params":{"Authorization":"Bearer sk-0123456789"}}',
    '{"provider":"openai","apiKey":"sk-0123456789"}',
    '{"provider":"openai","OPENAI_API_KEY":"sk-0123456789"}',
    '{"provider":"openai","auth":"sk-0123456789"}',
    '{"provider":"openai","access_token":"sk-0123456789"}',
    '{"provider":"openai","credentials":{"value":"sk-0123456789"}}',
    '{"auth":{"keys":["sk-0123456789"]}}',
    '{"provider":"openai","keys":{"prod":"sk-0123456789"}}',
    '{"provider":"openai","keys":[{"value":"sk-0123456789"}]}',
    '{"auth":{"team-a":"sk-0123456789"}}',
    '{"auth":{"keys":{"team-a":{"text":"sk-0123456789"}}}}',
    "{'provider':'openai','api_key':'sk-0123456789'}",
    '{provider:"openai",apiKey:"sk-0123456789"}',
    '{\\"api_key\\":\\"sk-0123456789\\"}',
    'api_key: sk-0123456789',
    'OPENAI_API_KEY=sk-0123456789',
  ])('shows no secret of %s', (text) => {
    expect(rendered(text)).not.toBe('');
    expect(rendered(text)).not.toContain('0123456789');
  });

  it.each([
    '{"provider":"openai","keys":[\n"sk-0123456789"\n"sk-0123456789"\n]}',
    '{"provider":"openai","keys":[\n"a","sk-0123456789" "b"]}',
    '{"provider":"openai","api_key":\n"sk-0123456789" "name":"x"}',
    '{"provider":"openai","api_key"\n"sk-0123456789"}',
    '{"auth":{"keys":[{"id":"a","key":\n"sk-0123456789",,}]}}',
    '{"credentials":{\n"value":"sk-0123456789" "x":1}}',
    '{"cloudb_service_account_json":{"private_key_id":\n"0123456789",\n"client_id":"0123456789";}}',
    '{"provider":"openai","keys":["a",\n"sk-0123456789\n]}',
  ])('shows no secret on any line of a text that cannot be parsed: %j', (text) => {
    expect(rendered(text)).toContain('syntax-error');
    expect(rendered(text)).not.toContain('0123456789');
  });

  it.each([
    'provider: openai\nkeys:\n- sk-0123456789\n- "sk-0123456789\n',
    'provider: openai\nkeys: [\n"sk-0123456789",\n"sk-0123456789" "c"]\n',
    'provider: openai\napi_key:\n\n  sk-0123456789: "a" b\n',
    'provider: openai\napi_key:\n\n  "sk-0123456789" "b"\n',
  ])('shows no secret of YAML that cannot be parsed: %j', (text) => {
    const file = 'prod.yaml';
    const [found, ...more] = compile(text, { trust: 'operator', catalogue, file }).diagnostics;
    expect([found?.code, more]).toEqual(['syntax-error', []]);
    // Every line of the text, because the parser may report the mistake on any of them.
    for (const line of text.split('\n').keys()) {
      const shown = found && renderDiagnostic({ ...found, span: { ...found.span, line: line + 1 } }, { text });
      expect(shown).not.toContain('0123456789');
    }
  });

  it('searches a line of 420,000 characters for secrets within two seconds', () => {
    const text = `"\n${'key: ['.repeat(60_000)}`;
    expect(processorMs(() => maskSecrets(text, 'prod.yaml'))).toBeLessThan(2000);
  });

  it('shows values that are not secret although their names end like those of secrets', () => {
    expect(rendered('{"virtual_key":"no-such-name"}')).toContain('│ {"virtual_key":"no-such-name"}');
    expect(rendered('{"provider":"nobody","override_params":{"max_tokens":"5"}}')).toContain('"max_tokens":"5"');
  });

  it('shows only the start of a finding that is too long for a line', () => {
    const [, , shown = '', marks = ''] = rendered(JSON.stringify({ provider: 'x'.repeat(100_000) })).split('\n');
    expect(shown).toMatch(/^1 │ \{"provider":"x{179}…$/);
    expect(marks).toMatch(/^ {2}│ {13}\^{120}$/);
  });

  it('keeps control characters of a config out of the terminal', () => {
    const text = JSON.stringify({ provider: '\u001b[31mred\u0007\u2028' });
    expect(rendered(text)).toMatch(/There is no provider "\uFFFD\[31mred\uFFFD\uFFFD"/);
    expect(rendered('{"provider":"a\u0007"}')).not.toContain('\u0007');
  });

  it('keeps control characters out of hints too, in which a line break could start a command of a build log', () => {
    const target = { name: 'fast\n::error::a\u001b[31m', provider: 'echo' };
    const conditions = [
      { query: { 'tier\n::error::b\u001b[31m': 1 }, then: target.name },
      { query: { 'metadata.tier': 'x' }, then: 'fasst\n::error::a\u001b[31m' },
    ];
    const strategy = { mode: 'conditional', conditions, default: target.name };
    const text = rendered(JSON.stringify({ strategy, targets: [target] }));
    expect(text).toContain('hint: Write "metadata.tier\uFFFD::error::b');
    expect(text).toContain('hint: Did you mean "fast\uFFFD::error::a');
    expect(text).not.toContain('\u001b');
    expect(text).not.toMatch(/^::error::/m);
  });
});

describe('messages', () => {
  it('do not compile without their parameters', () => {
    const span = { offset: 0, length: 0, line: 1, column: 1 };
    const { report, diagnostics } = createReporter({ readSpan: () => span });
    // @ts-expect-error: the text names the key
    report('duplicate-key', { pointer: rootPointer, part: 'key' }, {});
    report('duplicate-key', { pointer: rootPointer, part: 'key' }, { key: 'x' });
    expect(diagnostics().map(({ message }) => message)).toContain('The key "x" appears twice in the same object.');
  });
});
