import { readFileSync } from 'node:fs';
import path from 'node:path';
import { diagnosticTable } from '../../../../compiler/diagnostics/table.ts';
import { commandTree } from '../../../../gw/commands.ts';
import { headerTable } from '../../../../runtime/http/headers/header-table.ts';
import type { CommandTree } from '../../../../schema/commands/command-spec.ts';
import { errorTable } from '../../../../schema/errors/errors.ts';
import { root } from '../../../support/package-modules.ts';

const outermostMembers = (schema: string): readonly string[] =>
  Object.keys(JSON.parse(readFileSync(path.join(root, 'schema', schema), 'utf8')).properties).filter(
    (name) => name !== '$schema',
  );

/** A command with those that begin with it: `gw configs`, `gw configs list`. */
const commandsOf = ({ commands = {} }: CommandTree, name: string): readonly string[] =>
  Object.entries(commands).flatMap(([next, tree]) => {
    const own = `${name} ${next}`;
    return [...(tree.spec === undefined ? [] : [own]), ...commandsOf(tree, own)];
  });

/** Headers that are members of configs as well, which are found in their place: `x-gw-clouda-region` as `clouda_region`. */
const isSetting = (header: string): boolean => /^x-gw-(?:cloud[abc]|llmv)-/.test(header);

/** Names that people search for, by kind, from the sources; each with the folders of the reference that may have it. */
export const referenceNames: Readonly<
  Record<string, { readonly names: readonly string[]; readonly under: readonly string[] }>
> = {
  diagnostics: { names: Object.keys(diagnosticTable), under: ['diagnostics/', 'errors/'] },
  errors: { names: Object.keys(errorTable), under: ['errors/', 'diagnostics/'] },
  'members of configs': {
    names: outermostMembers('config.schema.json'),
    under: ['config/', 'gateway-file/', 'scopes.html'],
  },
  'members of the gateway file': {
    names: outermostMembers('gateway.schema.json'),
    under: ['gateway-file/', 'config/'],
  },
  headers: {
    names: headerTable.map(({ name }) => name).filter((name) => name.startsWith('x-gw-') && !isSetting(name)),
    under: ['headers.html'],
  },
  commands: { names: commandsOf(await commandTree(), 'gw'), under: ['commands/'] },
};
