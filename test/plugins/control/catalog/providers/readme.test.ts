import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { providerWorld } from './support.ts';

it('the example of the README saves a provider and reads it as it says', async () => {
  const file = new URL('../../../../../plugins/control/catalog/providers/README.md', import.meta.url);
  const markdown = readFileSync(file, 'utf8');
  await using world = await providerWorld();
  const [, body = ''] = /POST \/v1\/providers +(\{.+\})/.exec(markdown) ?? [];
  expect((await world.ask('/providers', { json: JSON.parse(body.replace('sk-…', 'sk-1')) })).status).toBe(200);
  const { credential } = (await world.ask('/providers/main')).body;
  expect(markdown).toContain(`\`"credential": ${JSON.stringify(credential).replace(':', ': ')}\``);
});
