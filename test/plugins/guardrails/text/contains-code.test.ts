import { describe, it } from 'vitest';
import { containsCode } from '../../../../plugins/guardrails/text/contains-code.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';

const block = (mark: string, code = 'x = 1'): string => `Here it is:\n\`\`\`${mark}\n${code}\n\`\`\`\nDone.`;

describe('default.containsCode', () => {
  it('recognises a language by its name and by its names in Markdown, in any case', () =>
    testGuardrail(containsCode, [
      { parameters: { format: 'Python' }, text: block('python'), verdict: 'pass' },
      { parameters: { format: 'Python' }, text: block('py'), verdict: 'pass' },
      { parameters: { format: 'py' }, text: block('PYTHON'), verdict: 'pass' },
      { parameters: { format: 'TypeScript' }, text: block('tsx'), verdict: 'pass' },
      { parameters: { format: 'C++' }, text: block('c++'), verdict: 'pass' },
      { parameters: { format: 'C#' }, text: block('csharp'), verdict: 'pass' },
      { parameters: { format: 'Shell' }, text: block('bash'), verdict: 'pass' },
      { parameters: { format: 'YAML' }, text: block('yml title="a"'), verdict: 'pass' },
      { parameters: { format: 'C' }, text: block('cpp'), verdict: 'fail' },
      { parameters: { format: 'SQL' }, text: block('python'), verdict: 'fail', data: { foundFormats: ['Python'] } },
    ]));

  it('passes a text without a code block only if inverted', () =>
    testGuardrail(containsCode, [
      { parameters: { format: 'SQL' }, text: 'SELECT 1', verdict: 'fail' },
      { parameters: { format: 'SQL', not: true }, text: 'SELECT 1', verdict: 'pass' },
      { parameters: { format: 'SQL', not: true }, text: block('sql'), verdict: 'fail' },
      { parameters: { format: 'SQL' }, text: '', verdict: 'error' },
    ]));

  it('recognises blocks that are indented, quoted, fenced by tildes, or cut off', () =>
    testGuardrail(containsCode, [
      { parameters: { format: 'SQL' }, text: '- a\n   ```sql\n   SELECT 1\n   ```', verdict: 'pass' },
      { parameters: { format: 'SQL' }, text: '> ```sql\n> SELECT 1\n> ```', verdict: 'pass' },
      { parameters: { format: 'SQL' }, text: '~~~sql\r\nSELECT 1\r\n~~~', verdict: 'pass' },
      { parameters: { format: 'SQL' }, text: '```sql\nSELECT', verdict: 'pass' },
      { parameters: { format: 'SQL' }, text: '````md\n```sql\n```\n````', verdict: 'fail' },
    ]));

  it('rejects an unknown language', () =>
    testGuardrail(containsCode, [
      { parameters: { format: 'Pyhton' }, verdict: 'refused' },
      { parameters: { format: '' }, verdict: 'refused' },
      { parameters: {}, verdict: 'refused' },
    ]));

  it('judges a megabyte of fences, of backticks and of blanks', () =>
    testGuardrail(
      containsCode,
      ['```\n', '`', ' ', '> ', '```sql ', '~'].map((piece) => ({
        parameters: { format: 'Go' },
        text: piece.repeat(1_000_000 / piece.length),
        verdict: 'fail',
      })),
    ));
});
