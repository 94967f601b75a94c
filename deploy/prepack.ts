/** Runs before each `npm pack`: fails if the package has not been built, and writes what `npm run sbom` writes. */
import { requireBuild } from './support/require-build.ts';

try {
  requireBuild();
  await import('./sbom/generate.ts');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
