import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';

const run = promisify(execFile);
const openStore = new URL('../../../../../plugins/control/kernel/store/open/open-store.ts', import.meta.url).href;

/** Runs a module that imports `openStore`, and resolves when its process exits. */
const runModule = (text: string, flags: readonly string[] = []) =>
  run(
    process.execPath,
    [...flags, '--input-type=module', '--eval', `import { openStore } from ${JSON.stringify(openStore)};\n${text}`],
    { cwd: temporaryFolder(), timeout: 20_000 },
  );

const withoutPg = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      return specifier === 'pg' ? next('pg', { ...context, parentURL: 'file:///' }) : next(specifier, context);
    },
  });
`;

describe('a process with a store', () => {
  it('exits when the store is closed, and prints no warning', async () => {
    const { stdout, stderr } = await runModule(`
      const store = await openStore({ url: 'gateway.db' });
      console.log(await store.versions());
      await store.close();
    `);
    expect(stdout).toBe('{ keys: 0, plans: 0, policies: 0 }\n');
    expect(stderr).toBe('');
  });

  it('still prints other warnings of Node', async () => {
    const { stderr } = await runModule(`
      const store = await openStore({ url: 'gateway.db' });
      await store.close();
      process.emitWarning('Something else', 'ExperimentalWarning');
    `);
    expect(stderr).toContain('ExperimentalWarning: Something else');
  });

  it('gets an error with the command that installs pg if it is not installed', async () => {
    const hooks = `data:text/javascript,${encodeURIComponent(withoutPg)}`;
    const { stdout } = await runModule(
      `await openStore({ url: 'postgres://127.0.0.1:1/x' }).catch((error) => console.log(error.name, error.message));`,
      ['--import', hooks],
    );
    expect(stdout).toBe(
      'StoreError A store in PostgreSQL needs the package pg, which is not installed. Run: npm install pg\n',
    );
  });

  it('opens a new store that other processes open at the same time', async () => {
    const folder = temporaryFolder();
    const url = JSON.stringify(path.join(folder, 'gateway.db'));
    const open = `
      const store = await openStore({ url: ${url}, serving: false });
      console.log(await store.versions());
      await store.close();
    `;
    const outputs = await Promise.all(Array.from({ length: 5 }, () => runModule(open)));
    for (const { stdout, stderr } of outputs)
      expect([stdout, stderr]).toEqual(['{ keys: 0, plans: 0, policies: 0 }\n', '']);
  });
});
