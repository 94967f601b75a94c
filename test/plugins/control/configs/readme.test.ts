import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readFences } from '../../../support/readme/read-fences.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { savedWorld } from '../support/saved-world.ts';

const folder = new URL('../../../../plugins/control/configs/', import.meta.url);
const markdown = readFileSync(new URL('README.md', folder), 'utf8');

it('the example of the README returns what it says', async () => {
  await using world = await savedWorld();
  const example = readFences(markdown).find(({ language }) => language === 'ts')?.text ?? '';
  const home = temporaryFolder({
    'example.ts': example.replaceAll(/(?<= from ')[^']+/g, (file) => new URL(file, folder).pathname),
  });
  const module = await import(path.join(home, 'example.ts'));
  const returned = await module.example(world.parts, world.admin);
  expect(markdown).toContain(`It returns \`${typeof returned === 'string' ? returned : JSON.stringify(returned)}\`.`);
});
