/**
 * Writes the part before the dot in the scopes of described resources to where scopes are a type, which is below the
 * descriptions. `--check` writes nothing and exits with 1 if the file is not up to date.
 */
import { resources } from '../../plugins/control/resources.ts';
import { writeGenerated } from './write-generated.ts';

const names = new Set(resources.map(({ scopes }) => scopes.delete.split('.', 1)[0]));

writeGenerated(
  'plugins/control/kernel/requests/resource-scopes.ts',
  `// Made from plugins/control/resources.ts by tools/generate/generate-scopes.ts (npm run generate); do not edit.

/** The described resources whose routes require scopes under these names, with a verb behind each. */
export const resourceScopes = [
${[...names]
  .sort()
  .map((name) => `  '${name}',\n`)
  .join('')}] as const;
`,
);
