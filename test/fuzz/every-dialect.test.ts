import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtinDialects } from '../../plugins/dialects/builtin-dialects.ts';

it('every built-in dialect has a fuzz test', () => {
  const ids = builtinDialects.map(({ id }) => id);
  expect(ids.filter((id) => !existsSync(new URL(`${id}.test.ts`, import.meta.url)))).toEqual([]);
});
