import path from 'node:path';
import type { CommandSpec, CommandTree } from '../../../schema/command-help/command-spec.ts';
import type { ExitCode } from '../command-line/exit-code.ts';
import { readCommandLine } from '../command-line/parse-command-line.ts';
import type { CommandServices, Environment } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { displayPath } from '../files/config-files.ts';
import { writeFiles } from '../files/write-files.ts';
import { checkPluginName, pluginFolder, pluginId } from './plugin-name.ts';
import { pluginFiles } from './templates/plugin-files.ts';
import { type PluginKind, pluginKinds } from './templates/plugin-kind.ts';

const kinds = Object.keys(pluginKinds) as readonly PluginKind[];

const spec = {
  name: 'gw plugin new',
  summary: 'Creates the package of a new plugin, ready to build, test and pack.',
  positionals: 'NAME',
  takes: { min: 1, max: 1 },
  options: {
    kind: { type: 'string', choices: kinds, describe: 'What the plugin adds; required.' },
    out: { type: 'string', value: 'DIR', describe: 'The folder to create; by default the name without its scope.' },
  },
  notes: [
    'NAME is the name of the package: gatewright-plugin-acme, or @team/gatewright-plugin-acme.',
    '',
    ...kinds.map((kind) => `  ${kind.padEnd(10)} ${pluginKinds[kind]}`),
    '',
    'Nothing is overwritten. Exit code: 0 created, 2 the command cannot be run.',
  ].join('\n'),
  examples: ['gw plugin new gatewright-plugin-acme --kind guardrail'],
} as const satisfies CommandSpec;

export const pluginNewTree: CommandTree = { spec };

/** Throws if a plugin would use a name of the gateway's own, because it would be rejected when it is loaded. */
const checkId = (kind: PluginKind, id: string, { catalogue }: Environment): void => {
  const taken = kind === 'provider' ? catalogue.providers.has(id) : kind === 'dialect' && catalogue.dialects.has(id);
  if (id === '' || taken)
    throw new UsageError(
      `The ${kind} would be called "${id}", and the gateway has one of this name.`,
      'Choose another name for the package.',
    );
};

/** `gw plugin new`: writes the files of a plugin. Throws a `UsageError`. */
export const pluginNew = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { io } = services;
  const given = readCommandLine(spec, argv, io.out);
  if (given === undefined) return 0;
  const { values, positionals } = given;
  const [name = ''] = positionals;
  checkPluginName(name);
  const { kind, out = pluginFolder(name) } = values;
  if (kind === undefined)
    throw new UsageError('gw plugin new requires the flag --kind.', `Write --kind ${kinds.join('|')}.`);
  const id = pluginId(name);
  checkId(kind, id, await services.environment(undefined, undefined));
  if ((await io.readKind(out)) !== undefined)
    throw new UsageError(`${displayPath(out, io.cwd)} already exists.`, 'Name another folder: --out DIR.');
  const files = pluginFiles({ name, kind, id, ...services.versions });
  const texts = new Map([...files].map(([file, text]) => [path.join(out, file), text]));
  await writeFiles(texts, { named: out, hint: 'Name another folder with --out.' }, io);
  for (const file of files.keys()) io.out.write(`${displayPath(path.join(out, file), io.cwd)}\n`);
  io.out.write(`\nNext: cd ${displayPath(out, io.cwd)} && npm install && npm test && npm pack\n`);
  return 0;
};
