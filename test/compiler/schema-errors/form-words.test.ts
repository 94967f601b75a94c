import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readGatewayFile } from '../../../compiler/cli/files/read-gateway-file.ts';
import { describePattern } from '../../../compiler/schema-errors/form-words.ts';

const patternsOf = (file: string): readonly string[] => {
  const schema = readFileSync(path.join(import.meta.dirname, '../../../schema', file), 'utf8');
  return [...schema.matchAll(/"pattern": ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => JSON.parse(text));
};
const patterns = patternsOf('gateway.schema.json');

describe('the form of a config setting', () => {
  it('is described in words for every pattern', () => {
    const found = patternsOf('config.schema.json');
    expect(found.length).toBeGreaterThan(2);
    expect(found.map(describePattern).filter((words) => words.includes('matches'))).toEqual([]);
  });
});

describe('the form of a gateway file setting', () => {
  it('is described in words and not by its pattern if it may be a reference', () => {
    const referring = patterns.filter((pattern) => pattern.includes('env:'));
    expect(referring.length).toBeGreaterThan(3);
    for (const pattern of referring)
      expect(describePattern(pattern)).toMatch(/^a (URL such as|path such as|reference)[^/]*.*\$\{env:NAME\}/);
    for (const pattern of referring) expect(describePattern(pattern)).not.toContain('matches');
    expect(describePattern('^#.')).toBe('a string that matches /^#./');
  });

  it('is described in words for every pattern', () => {
    expect(patterns.map(describePattern).filter((words) => words.includes('matches'))).toEqual([]);
  });

  it('includes both alternatives if it is a number or a word', () => {
    const [found] = readGatewayFile('{ "workers": "all" }', 'gateway.json').diagnostics;
    expect(found?.message).toBe('"workers" must be a number from 1 to 256, or "auto" for one for each processor.');
  });

  it('is given in full for a store URL with a password', () => {
    const text = JSON.stringify({ store: { url: 'postgres://user:password@127.0.0.1/name' } });
    const [found] = readGatewayFile(text, 'gateway.json').diagnostics;
    expect(found).toMatchObject({ code: 'wrong-form', pointer: '/store/url' });
    for (const words of [found?.message, found?.hint]) expect(words).toMatch(/ or \$\{file:\/absolute\/path\}\.$/);
  });
});
