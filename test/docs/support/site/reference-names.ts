import { readFileSync } from 'node:fs';
import path from 'node:path';
import { diagnosticTable } from '../../../../compiler/diagnostics/table.ts';
import { errorTable } from '../../../../schema/errors/errors.ts';
import { root } from '../../../support/package-modules.ts';

const outermostMembers = (schema: string): readonly string[] =>
  Object.keys(JSON.parse(readFileSync(path.join(root, 'schema', schema), 'utf8')).properties).filter(
    (name) => name !== '$schema',
  );

/** Names that people search for, by kind, from the sources; each with the folders of the reference that may have it. */
export const referenceNames: Readonly<
  Record<string, { readonly names: readonly string[]; readonly under: readonly string[] }>
> = {
  diagnostics: { names: Object.keys(diagnosticTable), under: ['diagnostics/', 'errors/'] },
  errors: { names: Object.keys(errorTable), under: ['errors/', 'diagnostics/'] },
  'members of configs': { names: outermostMembers('config.schema.json'), under: ['config/', 'gateway-file/'] },
  'members of the gateway file': {
    names: outermostMembers('gateway.schema.json'),
    under: ['gateway-file/', 'config/'],
  },
};
