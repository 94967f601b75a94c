import { describe, expect, it } from 'vitest';
import { repairWords } from '../../../../plugins/guardrails/structure/repair-words.ts';

const schema = { type: 'object' };

describe('the repair message for a model', () => {
  it('contains each finding and the schema', () => {
    expect(repairWords(['/name must be string.', '/age must be integer.'], schema)).toBe(
      [
        'The JSON of your answer is not valid:',
        '- /name must be string.',
        '- /age must be integer.',
        'Answer again with only the JSON, which must match this JSON Schema:',
        '{"type":"object"}',
      ].join('\n'),
    );
  });

  it('states that the answer has no JSON', () => {
    expect(repairWords([], schema)).toMatch(/^Your answer has no JSON\.\nAnswer again/);
  });

  it('stays within the limit of a verdict, however long the findings and the schema are', () => {
    const findings = Array.from({ length: 10 }, () => 'a'.repeat(100_000));
    const words = repairWords(findings, { description: 'b'.repeat(60_000) });
    expect(words).toMatch(/Answer again with only the JSON\.$/);
    expect(words.length).toBeLessThan(20_000);
    expect(repairWords(findings, { description: 'b'.repeat(7900) }).length).toBeLessThan(20_000);
  });
});
