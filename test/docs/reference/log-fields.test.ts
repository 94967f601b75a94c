import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { headings, pages } from './support.ts';

const page = pages.get('log-fields.md') ?? '';
const root = path.join(import.meta.dirname, '../../..');

/** Returns the names that a source declares within an interface, by reading only its lines. */
const declared = (file: string, name: string): readonly string[] => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const start = text.indexOf(`export interface ${name}`);
  return [...text.slice(start, text.indexOf('\n}', start)).matchAll(/^ {2}readonly (\w+)\??:/gm)].map(
    ([, each = '']) => each,
  );
};

describe('the reference of log fields', () => {
  it('has every member of a log line', () => {
    const lines = 'plugins/sdk/logs/request-line.ts';
    const names = [...declared(lines, 'RequestFacts'), ...declared(lines, 'RequestLine')];
    expect(names.length).toBeGreaterThan(15);
    expect(headings('log-fields.md')).toEqual(expect.arrayContaining(names));
  });

  it('has the members of problems and usage, and every event of a trail', () => {
    const rows = [
      ...declared('plugins/sdk/logs/request-problem.ts', 'RequestProblem'),
      ...declared('schema/usage/usage-record.ts', 'UsageRecord'),
      ...[...readFileSync(path.join(root, 'schema/trail/trail.ts'), 'utf8').matchAll(/readonly kind: '(\w+)'/g)].map(
        ([, kind = '']) => kind,
      ),
    ];
    expect(rows.length).toBeGreaterThan(25);
    for (const name of rows) expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm'));
  });
});
