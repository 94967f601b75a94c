import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';

const readme = readFileSync(new URL('../../../plugins/providers/README.md', import.meta.url), 'utf8');

it('the README has a row for each provider, with its aliases and the dialects that it speaks', () => {
  const rows = readme.split('\n').flatMap((line) => {
    const [, first = '', , , speaks = ''] = line.startsWith('| ') ? line.split('|') : [];
    const [id = '', ...aliases] = [...first.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const dialects = speaks.split(',').map((each) => each.trim().split(' ')[0] ?? '');
    return builtinProviders.some((provider) => provider.id === id) ? [{ id, aliases, dialects: dialects.sort() }] : [];
  });
  expect(rows).toEqual(
    builtinProviders.map(({ id, aliases = [], speaks }) => ({ id, aliases, dialects: Object.keys(speaks).sort() })),
  );
});
