import { expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { testCatalogue as catalogue, testSaved as saved } from '../../support/plans/catalogue.ts';

const text = `{
  // A config with ten different mistakes.
  "strategy": {
    "mode": "conditional",
    "conditions": [
      { "query": { "metadata.tier": { "$is": "gold" } }, "then": "careful" },
      { "query": { "metadata.tier": "free" }, "then": "fats" }
    ]
  },
  "retry": { "attempts": 7 },
  "request_timeout": "30s",
  "targets": [
    { "name": "fast", "provider": "opnai", "api_key": "\${env:OPENAI_API_KEY}" },
    { "name": "careful", "provider": "anthropic", "api_key": "sk-ant-0123456789" },
    {
      "name": "guarded",
      "provider": "@openai-prod",
      "wieght": 2,
      "input_guardrails": [{ "default.contains": { "wordz": ["x"], "operator": "any" } }],
      "cb_config": { "failure_threshold": 3, "cooldown_interval": 500 }
    }
  ]
}`;

it('compile reports ten different mistakes at once, each at its place', () => {
  const { plan, diagnostics } = compile(text, { trust: 'operator', catalogue, saved, file: 'prod.jsonc' });
  expect(plan).toBeUndefined();
  expect(diagnostics.map(({ code, span }) => `${span.line}:${span.column} ${code}`)).toEqual([
    '3:3 missing-default',
    '6:39 unknown-operator',
    '7:55 unknown-target',
    '10:26 out-of-range',
    '11:22 wrong-type',
    '13:35 unknown-provider',
    '14:62 inline-secret',
    '18:7 unknown-key',
    '19:52 unknown-key',
    '20:67 out-of-range',
  ]);
});

it('compile reports the place of each finding, as a pointer and in the file', () => {
  const { diagnostics } = compile(text, { trust: 'operator', catalogue, saved, file: 'prod.jsonc' });
  for (const { span, pointer, file } of diagnostics) {
    const line = text.slice(0, span.offset).split('\n');
    expect([line.length, (line.at(-1) ?? '').length + 1]).toEqual([span.line, span.column]);
    expect(pointer).toMatch(/^\//);
    expect(file).toBe('prod.jsonc');
  }
});
