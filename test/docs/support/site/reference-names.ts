import { diagnosticTable } from '../../../../compiler/diagnostics/table.ts';
import { commandTree } from '../../../../gw/commands.ts';
import {
  answerHeaderDescriptions,
  requestHeaderDescriptions,
} from '../../../../runtime/control-routes/open-api/header-descriptions.ts';
import { headerTable } from '../../../../runtime/http/headers/header-table.ts';
import type { CommandTree } from '../../../../schema/command-help/command-spec.ts';
import { errorTable } from '../../../../schema/errors/errors.ts';
import { findingExplanations } from '../../../../schema/errors/explanations/finding-explanations.ts';
import { memberHeadings } from '../../../../tools/reference/pages/member-pages.ts';

/** Returns a command and its subcommands: `gw configs`, `gw configs list`. */
const commandsOf = ({ commands = {} }: CommandTree, name: string): readonly string[] =>
  Object.entries(commands).flatMap(([next, tree]) => {
    const own = `${name} ${next}`;
    return [...(tree.spec === undefined ? [] : [own]), ...commandsOf(tree, own)];
  });

/**
 * Whether a header stands for a setting of a provider. Such headers have rows in one section unless they have their own
 * section.
 */
const isSetting = (header: string): boolean =>
  /^x-gw-(?:cloud[abc]|llmv|workers-ai|fireworks|snowflake|oracle|huggingface|mistral|stability|amzn-sagemaker)-/.test(
    header,
  ) && requestHeaderDescriptions[header.slice('x-gw-'.length)] === undefined;

const headers = [...new Set([...headerTable.map(({ name }) => name), ...Object.keys(answerHeaderDescriptions)])].filter(
  (name) => name.startsWith('x-gw-'),
);

interface Names {
  readonly names: readonly string[];
  /** The pages of the reference that may contain them. */
  readonly under: readonly string[];
  /** The heading that all of them are below, if they have no headings of their own. */
  readonly heading?: string;
}

/** Names that people search for, by kind, from the sources. */
export const referenceNames: Readonly<Record<string, Names>> = {
  diagnostics: { names: Object.keys(diagnosticTable), under: ['diagnostics/', 'errors/'] },
  'findings about files': { names: Object.keys(findingExplanations), under: ['diagnostics/', 'errors/'] },
  errors: { names: Object.keys(errorTable), under: ['errors/', 'diagnostics/'] },
  'members of configs': {
    names: memberHeadings('config'),
    under: ['config/', 'gateway-file/', 'scopes.html'],
  },
  'members of the gateway file': {
    names: memberHeadings('gateway file'),
    under: ['gateway-file/', 'config/'],
  },
  headers: { names: headers.filter((name) => !isSetting(name)), under: ['headers.html'] },
  'headers of settings': {
    names: headers.filter(isSetting),
    under: ['headers.html'],
    heading: 'Settings of providers',
  },
  commands: { names: commandsOf(await commandTree(), 'gw'), under: ['commands/'] },
};
