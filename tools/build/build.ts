/** `npm run build`: builds the package's `dist` from the sources. */
import path from 'node:path';
import { bundleSources, declareTypes } from './build-package.ts';
import { root } from './package-modules.ts';

const dist = path.join(root, 'dist');
await bundleSources(dist);
const errors = declareTypes(dist);
process.stdout.write(errors);
process.exitCode = errors === '' ? 0 : 1;
