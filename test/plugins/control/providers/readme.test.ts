import { expect, it } from 'vitest';
import { controlWorld } from '../support/control-world.ts';
import { readmeExample } from '../support/readme-example.ts';

it('the example of the README saves a provider and reads it as it says', async () => {
  const { markdown, file } = readmeExample('providers');
  const { routes } = await import(file);
  await using world = await controlWorld({ routes });
  const [, body = ''] = /POST \/v1\/providers +(\{.+\})/.exec(markdown) ?? [];
  expect((await world.ask('/providers', { json: JSON.parse(body.replace('sk-…', 'sk-1')) })).status).toBe(200);
  const { credential } = (await world.ask('/providers/main')).body;
  expect(markdown).toContain(`\`"credential": ${JSON.stringify(credential).replace(':', ': ')}\``);
});
