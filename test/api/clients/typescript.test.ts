import { expect, it } from 'vitest';
import { clientSays, done, generatedClients } from './generated-clients.ts';

it('a client that openapi-typescript generates from the document does what the chapter on the store does', async () => {
  const { typescript } = generatedClients;
  if (typescript === undefined) throw new Error('There is no such client.');
  expect(await clientSays(typescript)).toEqual(done);
});
