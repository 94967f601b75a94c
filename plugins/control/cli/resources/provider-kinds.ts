import type { CommandSpec, CommandTree } from '../../../../schema/command-help/command-spec.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { toTexts } from '../../../../schema/json/loose.ts';
import { alignColumns } from '../../../../schema/text/align-columns.ts';
import { nearestProviderHint } from '../../../../schema/text/provider-hint.ts';
import {
  type ControlServices,
  type ExitCode,
  findFlagText,
  usageFailure,
  withArguments,
} from '../command-line/services.ts';
import { jsonOutput, printableText, tableText } from './texts.ts';

const spec: CommandSpec = {
  name: 'gw providers kinds',
  summary: 'Lists the services that configs can name, or shows everything about one.',
  positionals: '[NAME]',
  takes: { min: 0, max: 1 },
  options: {
    format: { type: 'string', choices: ['table', 'json'], describe: 'table by default.' },
    config: {
      type: 'string',
      value: 'FILE',
      describe: 'The gateway file whose plugins are listed too; gateway.json by default, if there is one.',
    },
  },
  notes:
    'It sends no request to a gateway. With NAME it shows all operations of a service. For an unlisted service that follows OpenAI, use "openai-compatible" with a "custom_host".\n',
  examples: ['gw providers kinds openai'],
};

export const kindsTree: CommandTree = { spec };

const words = (value: Json | undefined): string => {
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'string' ? value : '';
};

/** Writes each fact of a service on a line, and omits those that it does not have. */
const factLines = (facts: JsonObject): string => {
  const lines = Object.entries(facts).flatMap(([name, value]) => {
    const shown = name === 'lacks' ? words(Object.values(value as JsonObject).flat()) : words(value);
    return shown === '' ? [] : [[name.replaceAll('_', ' '), shown] as const];
  });
  return alignColumns(lines)
    .map((line) => `${line}\n`)
    .join('');
};

const addressText = ({ address, closed }: JsonObject): string => {
  if (typeof closed === 'string') return `closed ${closed}`;
  return typeof address === 'string' ? address : 'custom_host';
};

/** How many operations fit into a row. The record of a single service shows all of them. */
const shownOperations = 4;

const operationsText = ({ operations }: JsonObject): string => {
  const all = toTexts(operations);
  if (all.length <= shownOperations) return all.join(', ');
  const shown = all.slice(0, shownOperations - 1);
  return `${shown.join(', ')} and ${all.length - shown.length} more`;
};

const table = (all: readonly JsonObject[], width: number | undefined): string =>
  tableText({
    head: ['ID', 'CREDENTIAL', 'ADDRESS', 'OPERATIONS'],
    rows: all.map((facts) => [words(facts.id), words(facts.credential), addressText(facts), operationsText(facts)]),
    width,
  });

const namesOf = ({ id, aliases }: JsonObject): readonly string[] => [words(id), ...toTexts(aliases)];

const findOne = (all: readonly JsonObject[], name: string): JsonObject => {
  const found = all.find((facts) => namesOf(facts).includes(name));
  if (found !== undefined) return found;
  const known = all.flatMap(namesOf);
  throw usageFailure(`There is no provider "${name}".`, nearestProviderHint(name, known));
};

/** `gw providers kinds [NAME]`. Throws a `CommandFailure`. */
export const providerKinds = (services: ControlServices, argv: readonly string[]): Promise<ExitCode> =>
  withArguments(services, spec, argv, async ({ values, positionals: [name] }) => {
    const all = await services.providerFacts(findFlagText(values.config));
    const asked = name === undefined ? all : [findOne(all, name)];
    if (values.format === 'json') services.out.write(jsonOutput({ data: [...asked] }));
    else if (name === undefined) services.out.write(printableText(table(asked, services.columns)));
    else services.out.write(printableText(asked.map(factLines).join('\n')));
    return 0;
  });
