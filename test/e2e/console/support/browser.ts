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

/**
 * What no page sees, and costs more than most pages do: each window makes pages for the list of its address field, and processes wait for
 * pages that never come.
 */
const unseenFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];

/** What Playwright takes away of what pages can notice; the browser heeds the last list alone. */
const playwrightFeatures = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'AvoidCorsURLLoaderRestartOnRedirect', 'DestroyProfileOnBrowserClose'],
  ...['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...[
    'AimEnabled',
    'LensOverlay',
    'MediaRouter',
    'NetworkTimeServiceQuerying',
    'OptimizationHints',
    'PreconnectToSearch',
  ],
];

const withoutFeatures = `--disable-features=${[...unseenFeatures, ...playwrightFeatures].join(',')}`;

/** Starts Debian's browser, as root and in a container too. `args` are further ones of its command line. */
export const startBrowser = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: executable ?? 'chromium',
    args: ['--disable-gpu', '--no-sandbox', '--disable-dev-shm-usage', withoutFeatures, ...args],
  });

let shared: Promise<Browser> | undefined;

/** The browser of all files that a process runs, which ends with the process. */
export const sharedBrowser = async (): Promise<Browser> => {
  if (shared !== undefined && (await shared).isConnected()) return shared;
  shared = startBrowser();
  return shared;
};
