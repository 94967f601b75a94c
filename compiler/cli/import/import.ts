import path from 'node:path';
import type { CommandSpec, CommandTree } from '../../../schema/command-help/command-spec.ts';
import { placeholderSecret } from '../../../schema/config/saved.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { suggestName } from '../../../schema/text/closest-name.ts';
import { formatCount } from '../../../schema/text/format-count.ts';
import { printable } from '../../../schema/text/printable.ts';
import { formatJson } from '../../format/format-json.ts';
import type { ExitCode } from '../command-line/exit-code.ts';
import { readCommandLine } from '../command-line/parse-command-line.ts';
import type { CommandServices } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { displayPath } from '../files/config-files.ts';
import { writeFiles } from '../files/write-files.ts';
import type { Draft } from './draft/draft.ts';
import { type LocatedLoss, makeDraft } from './read-files.ts';
import { countWarnings } from './remove-rejected.ts';
import type { ImportKind } from './source-kinds.ts';
import { fromBifrost } from './sources/from-bifrost.ts';
import { fromLitellm } from './sources/from-litellm.ts';
import { fromOpenRouter } from './sources/from-openrouter.ts';
import { fromPortkey } from './sources/from-portkey.ts';
import type { ImportSource } from './sources/import-source.ts';
import { trustOwnHosts } from './trusted-hosts.ts';

const sources: Readonly<Record<ImportKind, ImportSource>> = {
  portkey: fromPortkey,
  litellm: fromLitellm,
  bifrost: fromBifrost,
  openrouter: fromOpenRouter,
};

const spec = {
  name: 'gw import',
  summary: "Converts another gateway's configuration to configs, a gateway file and a list of variables.",
  positionals: `${Object.keys(sources).join('|')} FILE…`,
  takes: { min: 2, max: Number.POSITIVE_INFINITY },
  options: {
    out: {
      type: 'string',
      value: 'FOLDER',
      describe: 'Write the files to this folder; without it they are printed.',
    },
    format: { type: 'string', choices: ['human', 'json'], describe: 'Text, or one JSON document.' },
  },
  notes: [
    'FILE is JSON or YAML: a config of Portkey, the config.yaml of LiteLLM, the config.json of Bifrost, or the routing of a request to',
    'OpenRouter ("models", "provider"). The result always passes gw check: anything without a counterpart is left out and listed with',
    'its line, the reason, and what to do instead. A secret is never copied: it is replaced by a variable, and the variables are',
    'listed. Several files become one folder: each file has its own configs, and what they share is in one gateway file.',
    '',
    'Existing files are never changed.',
    'Exit code: 0 done; 1 a file has a syntax error, or some or all of its models or configs are left out; 2 the command cannot be run,',
    'or names another gateway than that of the file.',
  ].join('\n'),
  examples: ['gw import litellm config.yaml --out imported', 'gw import portkey prod.json test.json --out gateway'],
} as const satisfies CommandSpec;

export const importTree: CommandTree = { spec };

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Formats a file as `gw fmt` does. */
const formatted = (value: JsonObject): string => formatJson(JSON.stringify(value));

/** Returns the variables that the result refers to. Parts that are left out may have had more. */
const usedVariables = ({ configs, gateway, variables }: Draft): readonly string[] => {
  const text = JSON.stringify([gateway, ...configs.values()]);
  return [...variables.all].filter((name) => text.includes(`\${env:${name}}`));
};

const howToLoad = '# Copy this file to .env, write each value, and load it: set -a; . ./.env; set +a\n';

/** The gateway's own key gets no value: a value that everybody can read would be accepted if somebody forgot to replace it. */
const variableLine = (name: string, { auth = null }: Draft['gateway']): string =>
  JSON.stringify(auth).includes(`\${env:${name}}`)
    ? `# The key that clients of this gateway send; create one with: openssl rand -hex 32\n${name}=\n`
    : `${name}=${placeholderSecret}\n`;

/** Returns the files of the result. */
const toFiles = ({ configs, gateway }: Draft, variables: readonly string[]): ReadonlyMap<string, string> =>
  new Map([
    ['gateway.json', formatted(gateway)],
    ...[...configs].map(([name, config]) => [`configs/${name}.json`, formatted(config)] as const),
    ['.env.example', [howToLoad, ...variables.map((name) => variableLine(name, gateway))].join('')],
  ]);

/** Drops virtual models and defaults whose configs are left out. */
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

/** Returns the models of the source that clients can no longer request. */
const lostModels = ({ models, gateway: { models: made } }: Draft): readonly string[] =>
  [...models].filter((name) => !isJsonObject(made) || lookUp(made, name) === undefined);

/** Models of the source that are left out, or configs if it has no models. */
interface Lost {
  readonly what: 'config' | 'model';
  readonly names: readonly string[];
}

/** Names the models or the configs that are left out. */
const lostText = ({ what, names }: Lost): string => {
  const isOne = names.length === 1;
  const use = what === 'model' ? `, and clients cannot request ${isOne ? 'it' : 'them'}` : '';
  return `gw: ${isOne ? `A ${what} is` : `${names.length} ${what}s are`} left out${use}: ${names.map((name) => `"${printable(name)}"`).join(', ')}. Correct what the notes say, and import the file again into another folder.\n`;
};

/** Describes how many models or configs of the source are lost, and how many targets are left out; empty if there are none. */
const countLost = ({ models, configs }: Draft, { what, names }: Lost, targets: number): string => {
  const all = what === 'model' ? models.size : configs.size + names.length;
  const counts = [
    ...(names.length === 0 ? [] : [`${names.length} of ${formatCount(all, what)}`]),
    ...(targets === 0 ? [] : [formatCount(targets, 'target')]),
  ];
  return counts.length === 0 ? '' : ` ${counts.join(' and ')} left out,`;
};

/** A loss with all lines of its file to which the same applies. */
interface Note {
  readonly loss: LocatedLoss;
  readonly lines: readonly number[];
}

/** Groups the losses for printing: a sentence that applies to several places of a file appears once. */
const toNotes = (losses: readonly LocatedLoss[]): readonly Note[] =>
  [...Map.groupBy(losses, ({ file, why, instead }) => JSON.stringify([file, why, instead])).values()].flatMap(
    (same) => {
      const [loss] = same;
      return loss === undefined ? [] : [{ loss, lines: [...new Set(same.map(({ line }) => line))] }];
    },
  );

const toLine = ({ loss: { file, why, instead }, lines: [line, ...others] }: Note): string => {
  const also = others.length === 0 ? '' : ` (and ${others.length === 1 ? 'line' : 'lines'} ${others.join(', ')})`;
  return `${file}:${line}${also} ${printable(why)} ${printable(instead)}\n`;
};

const lossLines = (losses: readonly LocatedLoss[]): string => toNotes(losses).map(toLine).join('');

/** Pages and folders of the package, which notes name by their paths. */
const packagePath = /\bdocs\/[\w./-]+\.md/;

/** Counts the configs; for a file without configs, the saved providers. */
const countResults = ({ configs, gateway: { providers } }: Draft): string =>
  configs.size === 0 && isJsonObject(providers)
    ? formatCount(Object.keys(providers).length, 'saved provider')
    : formatCount(configs.size, 'config');

/**
 * Returns the last sentences: how many notes there are, which of them are about checks, and where the pages are that they name.
 */
const summary = (losses: readonly LocatedLoss[], isPrinted: boolean): string => {
  if (losses.length === 0) return 'nothing lost.';
  const notes = toNotes(losses).map(({ loss }) => loss);
  const unchecked = notes.filter((loss) => loss.unchecked === true).length;
  const ofChecks =
    unchecked === 0
      ? ''
      : ` ${unchecked === 1 ? 'The first says' : `The first ${unchecked} say`} what is not checked now.`;
  const meant = notes.some(({ instead }) => instead.startsWith('Did you mean'))
    ? ' If a note asks what was meant, correct the file, and import it again into another folder.'
    : '';
  const pages = notes.some(({ instead }) => packagePath.test(instead))
    ? ' The pages that notes name are in the package: node_modules/gatewright/.'
    : '';
  const above = isPrinted ? ' above' : '';
  return `${formatCount(notes.length, 'note')}${above} on what does not carry over.${ofChecks}${meant}${pages}`;
};

/** How to write the files, if they were printed. */
const writeHint = ' --out FOLDER writes the files instead of printing them.';

/** Describes how many warnings `gw check` reports for the result; empty if there are none. */
const warningText = (warnings: number): string =>
  warnings === 0 ? '' : ` gw check has ${formatCount(warnings, 'warning')} for the result.`;

/** Writes the files to a folder that has none of them yet. */
const writeInto = async (
  folder: string,
  files: ReadonlyMap<string, string>,
  io: CommandServices['io'],
): Promise<void> => {
  const targets = new Map([...files].map(([each, written]) => [path.join(folder, each), written]));
  for (const target of targets.keys())
    if ((await io.readKind(target)) !== undefined)
      throw new UsageError(
        `${displayPath(target, io.cwd)} already exists, so nothing was written.`,
        'Name another folder: --out FOLDER.',
      );
  await writeFiles(targets, { named: folder, hint: 'Name another folder with --out.' }, io);
};

/** `gw import`: converts another gateway's file to a set-up. Throws a `UsageError`. */
export const importFile = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { io } = services;
  const given = readCommandLine(spec, argv, io.out);
  if (given === undefined) return 0;
  const { values, positionals } = given;
  const [kind = '', ...sourceFiles] = positionals;
  const convert = lookUp<ImportSource>(sources, kind);
  if (convert === undefined)
    throw new UsageError(
      `Files of "${kind}" cannot be imported.`,
      suggestName(kind, Object.keys(sources), `Those of ${Object.keys(sources).join(', ')} can.`),
    );
  const made = await makeDraft({ kind, files: sourceFiles, convert }, services);
  if (made === undefined) return 1;
  const { draft, losses, targets } = made;
  dropLostNames(draft);
  if (draft.configs.size === 0) delete draft.gateway.configs;
  const trusted = await trustOwnHosts(draft, services);
  const variables = usedVariables(draft);
  const files = toFiles(draft, variables);
  const secrets = made.secrets.filter(({ variable }) => variables.includes(variable));
  if (draft.configs.size === 0 && !draft.hasReachableProvider) {
    if (values.format === 'json') io.out.write(json({ files: {}, losses, secrets: [], variables: [] }));
    else io.out.write(lossLines(losses));
    const what = `Nothing in ${sourceFiles.join(', ')} could be imported.`;
    if (losses.length === 0) throw new UsageError(what, `Is it a configuration file of ${kind}?`);
    io.err.write(`gw: ${what} Correct what the notes say, and import it again.\n`);
    return 1;
  }
  const { out } = values;
  if (out !== undefined) await writeInto(out, files, io);
  const lost: Lost =
    draft.models.size === 0 ? { what: 'config', names: made.lostConfigs } : { what: 'model', names: lostModels(draft) };
  const code = lost.names.length === 0 ? 0 : 1;
  if (values.format === 'json') {
    io.out.write(json({ files: Object.fromEntries(files), losses, secrets, variables }));
    if (code === 1) io.err.write(lostText(lost));
    return code;
  }
  for (const [each, written] of files)
    io.out.write(out === undefined ? `--- ${each}\n${written}\n` : `${displayPath(path.join(out, each), io.cwd)}\n`);
  for (const { file, line, variable } of secrets)
    io.out.write(`${file}:${line} contains a secret, which was not copied. Set the variable ${variable} to it.\n`);
  if (trusted.length > 0)
    io.out.write(
      `gateway.json lists hosts on your own network under "trusted_hosts", and callers may name them too: ${trusted.join(', ')}.\n`,
    );
  io.out.write(lossLines(losses));
  io.out.write(
    `${countResults(draft)},${countLost(draft, lost, targets)} ${summary(losses, out === undefined)}${warningText(await countWarnings(draft, services))}${out === undefined ? writeHint : ''}\n`,
  );
  if (code === 1) io.err.write(lostText(lost));
  return code;
};
