import { expect, it } from 'vitest';
import { hexIds } from '../../../../plugins/sdk/logs/hex-ids.ts';

it.each([8, 16])('returns unique ids of %i bytes in hexadecimal', (bytes) => {
  const next = hexIds(bytes);
  const ids = Array.from({ length: 1000 }, next);
  for (const id of ids) expect(id).toMatch(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
  expect(new Set(ids).size).toBe(ids.length);
});
