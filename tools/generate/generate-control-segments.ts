/**
 * Writes the first segments of the control plane's paths, from its route rows, to where the data path reads them, because that
 * does not load the control plane without a store. `--check` writes nothing and exits with 1 if the file is not up to date.
 */
import { ownSegments } from '../../plugins/control/control-routes.ts';
import { openApiPath } from '../../runtime/route-matching/open-api-path.ts';
import { writeGenerated } from './write-generated.ts';

const segments: readonly string[] = [...ownSegments(), openApiPath.slice(1)].sort();

writeGenerated(
  'runtime/route-matching/control-segments.ts',
  `// Made from the routes of plugins/control by tools/generate/generate-control-segments.ts (npm run generate); do not edit.

/** The first segments of paths that are the control plane's alone: what is below them is never passed to a provider. */
export const controlSegments: readonly string[] = [
${segments.map((segment) => `  '${segment}',\n`).join('')}];
`,
);
