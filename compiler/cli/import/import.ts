import path from 'node:path';
import { commandHelp } from '../../../schema/commands/command-help.ts';
import type { CommandSpec, CommandTree } from '../../../schema/commands/command-spec.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import { formatCount } from '../../../schema/text/format-count.ts';
import { parseConfig } from '../../parse/parse-config.ts';
import { createRenderer } from '../../render/render.ts';
import type { ExitCode } from '../command-line/exit-code.ts';
import { parseCommandLine } from '../command-line/parse-command-line.ts';
import type { CommandServices } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { displayPath } from '../files/config-files.ts';
import { readText } from '../files/read-text.ts';
import { writeFiles } from '../files/write-files.ts';
import { printable } from '../report/printable.ts';
import { Draft } from './draft/draft.ts';
import { nearestPlace } from './draft/nearest-place.ts';
import { settle } from './settle.ts';
import { fromBifrost } from './sources/from-bifrost.ts';
import { fromLitellm } from './sources/from-litellm.ts';
import { fromOpenRouter } from './sources/from-openrouter.ts';
import { fromPortkey } from './sources/from-portkey.ts';
import type { ImportSource } from './sources/import-source.ts';
import { trustOwnHosts } from './trusted-hosts.ts';

const sources: Readonly<Record<string, ImportSource>> = {
  portkey: fromPortkey,
  litellm: fromLitellm,
  bifrost: fromBifrost,
  openrouter: fromOpenRouter,
};

const spec = {
  name: 'gw import',
  summary: "Makes configs, a gateway file and a list of variables of another gateway's configuration.",
  positionals: 'portkey|litellm|bifrost|openrouter FILE',
  takes: { least: 2, most: 2 },
  options: {
    out: {
      type: 'string',
      value: 'FOLDER',
      describe: 'Write the files into this folder; they are printed without it.',
    },
    format: { type: 'string', choices: ['human', 'json'], describe: 'Text for people, or one JSON document.' },
  },
  notes: [
    'FILE is JSON or YAML: a config of Portkey, the config.yaml of LiteLLM, the config.json of Bifrost, or the routing of a request to',
    'OpenRouter ("models", "provider"). What is made can always be checked: what has no counterpart is left out, and listed with its line,',
    'why that is so, and what to do instead. A secret is never copied: a variable stands for it, whose name is listed.',
    '',
    'No file that is there is changed. Exit code: 0 made, 1 the file cannot be read, 2 the command cannot be run.',
  ].join('\n'),
  examples: ['gw import litellm config.yaml --out imported'],
} as const satisfies CommandSpec;

export const importTree: CommandTree = { spec };

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** The variables that what was made refers to: what was left out may have had more. */
const usedVariables = ({ configs, gateway, variables }: Draft): readonly string[] => {
  const text = JSON.stringify([gateway, ...configs.values()]);
  return [...variables].filter((name) => text.includes(`\${env:${name}}`));
};

/** The files of what was made. */
const toFiles = ({ configs, gateway }: Draft, variables: readonly string[]): ReadonlyMap<string, string> =>
  new Map([
    ['gateway.json', json(gateway)],
    ...[...configs].map(([name, config]) => [`configs/${name}.json`, json(config)] as const),
    ['.env.example', variables.map((name) => `${name}=replace-me\n`).join('')],
  ]);

/** Virtual models and defaults whose configs were left out. */
const dropLostNames = (draft: Draft): void => {
  const { models, default_config: chosen } = draft.gateway;
  if (typeof chosen === 'string' && !draft.configs.has(chosen)) delete draft.gateway.default_config;
  if (!isJsonObject(models)) return;
  const left = Object.entries(models).filter(
    ([, of]) => typeof of === 'string' && draft.configs.has(of.replace(/^config:/, '')),
  );
  if (left.length === 0) delete draft.gateway.models;
  else draft.gateway.models = Object.fromEntries(left);
};

/** `gw import`: makes a set-up of another gateway's file. Throws a `UsageError`. */
export const importFile = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { help, values, positionals } = parseCommandLine(spec, argv);
  const { io } = services;
  if (help) {
    io.out.write(commandHelp(spec));
    return 0;
  }
  const [kind = '', file = ''] = positionals;
  const convert = Object.hasOwn(sources, kind) ? sources[kind] : undefined;
  if (convert === undefined)
    throw new UsageError(`Files of "${kind}" cannot be imported.`, `Those of ${Object.keys(sources).join(', ')} can.`);
  const text = await readText(io, file);
  const { document, reporter } = parseConfig(text, { file, isFile: true });
  if (document === undefined || reporter.failed) {
    const render = createRenderer({ text, colour: io.out.colour });
    for (const each of reporter.diagnostics()) io.out.write(`${render(each)}\n`);
    return 1;
  }
  if (!isJsonObject(document.value))
    throw new UsageError(`${file} contains no object.`, `Name a configuration file of ${kind}.`);
  const draft = new Draft();
  const { catalogue } = await services.environment(undefined, undefined);
  const name = path.basename(file).replace(/\.[^.]*$/, '');
  convert(document.value, { draft, providers: catalogue.providers, name });
  await settle(draft, services);
  dropLostNames(draft);
  const trusted = await trustOwnHosts(draft, services);
  const variables = usedVariables(draft);
  const files = toFiles(draft, variables);
  const lineOf = (pointer: Parameters<typeof document.readSpan>[0]): number => document.readSpan(pointer, 'key').line;
  const source = document.value;
  const losses = draft.losses
    .map(({ pointer, ...loss }) => ({ line: lineOf(pointer), place: nearestPlace(source, pointer), ...loss }))
    .toSorted((one, other) => one.line - other.line);
  const secrets = draft.secrets
    .filter(({ variable }) => variables.includes(variable))
    .map(({ pointer, variable }) => ({ line: lineOf(pointer), variable }));
  const writeLosses = (): void => {
    for (const { line, why, instead } of losses)
      io.out.write(`${file}:${line} ${printable(why)} ${printable(instead)}\n`);
  };
  if (draft.configs.size === 0) {
    if (values.format === 'json') io.out.write(json({ files: {}, losses, secrets: [], variables: [] }));
    else writeLosses();
    throw new UsageError(`Nothing in ${file} could be imported.`, `Is it a configuration file of ${kind}?`);
  }
  const { out } = values;
  if (out !== undefined) {
    const targets = new Map([...files].map(([each, written]) => [path.join(out, each), written]));
    for (const target of targets.keys())
      if ((await io.readKind(target)) !== undefined)
        throw new UsageError(
          `There is a ${displayPath(target, io.cwd)} already, and nothing was written.`,
          'Name another folder: --out FOLDER.',
        );
    await writeFiles(targets, out, io);
  }
  if (values.format === 'json') {
    io.out.write(json({ files: Object.fromEntries(files), losses, secrets, variables }));
    return 0;
  }
  for (const [each, written] of files)
    io.out.write(out === undefined ? `--- ${each}\n${written}\n` : `${displayPath(path.join(out, each), io.cwd)}\n`);
  for (const { line, variable } of secrets)
    io.out.write(`${file}:${line} has a secret, which was not copied: put it into the variable ${variable}.\n`);
  if (trusted.length > 0)
    io.out.write(
      `gateway.json lists under "trusted_hosts" what is on a network of your own, and callers may name it too: ${trusted.join(', ')}.\n`,
    );
  writeLosses();
  io.out.write(
    `${formatCount(draft.configs.size, 'config')}, ${losses.length === 0 ? 'nothing lost' : `${formatCount(losses.length, 'note')} on what does not carry over`}.\n`,
  );
  return 0;
};
