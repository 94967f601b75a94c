import * as undici from 'undici';
import { expect, it } from 'vitest';
import { buildConnector, Client, errors } from '../../../runtime/upstream/undici-parts.ts';

it('the files imported from undici export the same as its index', () => {
  expect(Client).toBe(undici.Client);
  expect(buildConnector).toBe(undici.buildConnector);
  expect(errors).toBe(undici.errors);
});
