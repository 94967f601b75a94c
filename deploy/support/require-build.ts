import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from './locked-packages.ts';

/**
 * Throws an `Error` if the package has not been built, because `npm pack` would create one without any code.
 *
 * @param folder the folder of `package.json`; this project if absent
 */
export const requireBuild = (folder: string = root): void => {
  if (!existsSync(path.join(folder, 'dist/gw.js'))) throw new Error('There is no dist folder. Run: npm run build');
};
