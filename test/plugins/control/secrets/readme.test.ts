import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { masterKeyText, newMasterKey } from '../../../../plugins/control/secrets/master-key.ts';
import { readFences } from '../../../support/readme/read-fences.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { newSqliteStore } from './each-store.ts';

const folder = new URL('../../../../plugins/control/secrets/', import.meta.url);
const markdown = readFileSync(new URL('README.md', folder), 'utf8');

it('the example of the README opens what it has sealed', async () => {
  const example = readFences(markdown).find(({ language }) => language === 'ts')?.text ?? '';
  const home = temporaryFolder({
    'example.ts': example.replaceAll(/(?<= from ')[^']+/g, (file) => new URL(file, folder).pathname),
  });
  const store = await newSqliteStore(home)();
  vi.stubEnv('GW_MASTER_KEY', masterKeyText(newMasterKey()));
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const module = await import(path.join(home, 'example.ts'));
  const { key, text, config } = await module.example(store, { tenant: 'a', id: '1' });
  expect(key).toBe('sk-…');
  expect(config).toEqual({ provider: 'openai', api_key: 'sk-…' });
  expect(markdown).toContain(`Here \`text\` is \`${text}\`.`);
});
