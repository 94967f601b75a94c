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
 * Features that no page uses and that cost more than most pages do: each window creates pages for the list of its address field,
 * and processes wait for pages that are never opened.
 */
const unseenFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];

/** Features that Playwright disables. They are repeated because the browser applies only the last list. */
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

/** Starts Debian's browser, also as root and in a container. `args` are additional command-line arguments. */
export const startBrowser = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: executable ?? 'chromium',
    args: ['--disable-gpu', '--no-sandbox', '--disable-dev-shm-usage', withoutFeatures, ...args],
  });

let shared: Promise<Browser> | undefined;

/** The browser that all files of a test process share. It ends with the process. */
export const sharedBrowser = async (): Promise<Browser> => {
  if (shared !== undefined && (await shared).isConnected()) return shared;
  shared = startBrowser();
  return shared;
};
