import * as undici from 'undici';
import { expect, it } from 'vitest';
import { buildConnector, Client, errors } from '../../../runtime/upstream/undici-parts.ts';

it("takes from undici's files what its index exports", () => {
  expect(Client).toBe(undici.Client);
  expect(buildConnector).toBe(undici.buildConnector);
  expect(errors).toBe(undici.errors);
});
