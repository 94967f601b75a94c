import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { builtinPlugins } from '../../../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../../../plugins/sdk/plugin/catalogue.ts';
import { nothingSaved } from '../../../../../schema/config/saved.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { readFences } from '../../../../support/readme/read-fences.ts';
import { newSqliteStore } from '../../kernel/secrets/each-store.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';
import { savingIn } from './support/saving.ts';

const folder = new URL('../../../../../plugins/control/catalog/tenant-view/', import.meta.url);
const markdown = readFileSync(new URL('README.md', folder), 'utf8');

it('the example of the README returns what it shows', async () => {
  const store = await newSqliteStore()();
  const saving = await savingIn(store);
  const tenant = await saving.workspace(await saving.organisation());
  const provider = await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
  await saving.config(tenant, { slug: 'prod', key: 'sk-1' });
  const example = readFences(markdown).find(({ language }) => language === 'ts')?.text ?? '';
  const home = temporaryFolder({
    'example.ts': example
      .replaceAll(/(?<= from ')[^']+/g, (file) => new URL(file, folder).pathname)
      .replace('main-id', provider),
  });
  const module = await import(path.join(home, 'example.ts'));
  const options = {
    ...{ store, sealer: saving.sealer, overlay: { saved: nothingSaved } },
    ...{ catalogue: buildCatalogue(builtinPlugins), clock: jumpingClock(Date.now()) },
  };
  const said = await module.example(options, tenant, () => saving.config(tenant, { slug: 'prod', key: 'sk-2' }));
  expect(markdown).toContain(`\`${JSON.stringify(said)}\``);
});
