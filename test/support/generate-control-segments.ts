/**
 * Writes the first segments of the control plane's paths, from its route rows, to where the data path reads them: it does
 * not load the control plane without a store. `--check` writes nothing and exits with 1 if the file is not up to date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ownSegments } from '../../plugins/control/declared-routes.ts';
import { openApiPath } from '../../runtime/routes/open-api-path.ts';

const file: URL = new URL('../../runtime/routes/control-segments.ts', import.meta.url);

const segments: readonly string[] = [...ownSegments(), openApiPath.slice(1)].sort();

const text = `// Made from the routes of plugins/control by test/support/generate-control-segments.ts (npm run generate); do not edit.

/** The first segments of paths that are the control plane's alone: what is below them is never passed to a provider. */
export const controlSegments: readonly string[] = [
${segments.map((segment) => `  '${segment}',\n`).join('')}];
`;

const isFresh = existsSync(file) && readFileSync(file, 'utf8') === text;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!isFresh) {
  process.stderr.write('runtime/routes/control-segments.ts is stale; run npm run generate.\n');
  process.exitCode = 1;
}
