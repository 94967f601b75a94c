/**
 * `npm run console:screenshots [folder]`: takes a screenshot of each page in light, dark and 320 px, as its tests show it. The
 * folder is `reports/console` by default.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from '../../../tools/build/package-modules.ts';

const folder = path.resolve(process.argv[2] ?? path.join(root, 'reports/console'));
const { status } = spawnSync('vitest', ['run', 'test/e2e/console'], {
  cwd: root,
  env: { ...process.env, GW_CONSOLE_SCREENSHOTS: folder },
  stdio: 'inherit',
});
process.stdout.write(`The screenshots are in ${folder}.\n`);
process.exitCode = status ?? 1;
