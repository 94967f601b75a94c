import * as undici from 'undici';
import { expect, it } from 'vitest';
import { buildConnector, errors, Pool } from '../../../runtime/upstream/undici-parts.ts';

it("takes from undici's files what its index exports", () => {
  expect(Pool).toBe(undici.Pool);
  expect(buildConnector).toBe(undici.buildConnector);
  expect(errors).toBe(undici.errors);
});
