import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readFences } from '../../../support/readme/read-fences.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { controlWorld } from '../support/control-world.ts';

const folder = new URL('../../../../plugins/control/providers/', import.meta.url);
const markdown = readFileSync(new URL('README.md', folder), 'utf8');

it('the example of the README saves a provider and reads it as it says', async () => {
  const fences = readFences(markdown);
  const example = fences.find(({ language }) => language === 'ts')?.text ?? '';
  const home = temporaryFolder({
    'example.ts': example.replaceAll(/(?<= from ')[^']+/g, (file) => new URL(file, folder).pathname),
  });
  const { routes } = await import(path.join(home, 'example.ts'));
  await using world = await controlWorld({ routes });
  const [, body = ''] = /POST \/v1\/providers +(\{.+\})/.exec(markdown) ?? [];
  expect((await world.ask('/providers', { json: JSON.parse(body.replace('sk-…', 'sk-1')) })).status).toBe(200);
  const { credential } = (await world.ask('/providers/main')).body;
  expect(markdown).toContain(`\`"credential": ${JSON.stringify(credential).replace(':', ': ')}\``);
});
