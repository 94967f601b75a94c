import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const executable = ['chromium', 'chromium-browser']
  .flatMap((name) => (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name)))
  .find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return spawnSync(file, ['--version']).status === 0;
    } catch {
      return false;
    }
  });

/** Whether these tests can run: `apt-get install -y --no-install-recommends chromium`. */
export const hasBrowser: boolean = executable !== undefined;

/** Starts Debian's browser, as root and in a container too. `args` are further ones of its command line. */
export const startBrowser = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: executable ?? 'chromium',
    args: ['--disable-gpu', '--no-sandbox', '--disable-dev-shm-usage', ...args],
  });
