import { expect, it, onTestFinished, vi } from 'vitest';
import { masterKeyText, newMasterKey } from '../../../../../plugins/control/kernel/secrets/master-key.ts';
import { readmeExample } from '../../support/readme-example.ts';
import { newSqliteStore } from './each-store.ts';

it('opens what it has sealed in the example of the README', async () => {
  const { markdown, folder, file } = readmeExample('kernel/secrets');
  const store = await newSqliteStore(folder)();
  vi.stubEnv('GW_MASTER_KEY', masterKeyText(newMasterKey()));
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const module = await import(file);
  const { key, text, config } = await module.example(store, { tenant: 'a', id: '1' });
  expect(key).toBe('sk-…');
  expect(config).toEqual({ provider: 'openai', api_key: 'sk-…' });
  expect(markdown).toContain(`Here \`text\` is \`${text}\`.`);
});
