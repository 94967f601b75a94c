/** `npm run build`: the package's `dist`, from the sources. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { compileSources, root } from './compile-sources.ts';

const dist = path.join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
const faults = compileSources(dist);
process.stdout.write(faults);
process.exitCode = faults === '' ? 0 : 1;
