import type { CommandSpec, CommandTree } from '../../../schema/command-help/command-spec.ts';
import type { ExitCode } from '../command-line/exit-code.ts';
import { configOption, storeOptions } from '../command-line/format-option.ts';
import { readCommandLine } from '../command-line/parse-command-line.ts';
import type { CommandServices } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { countDiagnostics, findingsText, formatJson } from '../report/report.ts';
import { compareSources, isSameConfig } from './compare-sources.ts';
import { diffJson } from './diff-json.ts';
import { diffMarkdown } from './diff-markdown.ts';
import { diffText } from './diff-text.ts';
import { findSource, fromRevision, type Source, type SourceFlags } from './find-source.ts';

const spec = {
  name: 'gw diff',
  summary: 'Shows how a change of configs affects requests: where they go, with which odds, settings and bounds.',
  positionals: 'OLD NEW | --rev REVISION PATH',
  takes: { min: 1, max: 2 },
  options: {
    rev: {
      type: 'string',
      value: 'REVISION',
      describe: 'Compare a file or folder with its state at this git revision.',
    },
    ...storeOptions,
    config: configOption,
    format: {
      type: 'string',
      choices: ['human', 'json', 'markdown'],
      describe: 'Text, one JSON document, or a comment for a pull request.',
    },
  },
  notes: [
    'OLD and NEW are each a config or a folder of configs, on disk or at a git revision, such as main:configs/chat.json (relative to',
    'the root of the repository, or with ./ to this folder); or a config of a gateway with a store, such as chat or chat@3.',
    '',
    'Two calls are the same if their provider, origin, model, credential reference, headers and parameter edits are the same,',
    'whatever their targets are called and wherever they are in the plan. Calls are shown by their names in NEW. The conditions of',
    'both configs divide requests into kinds. For each kind, the probabilities of first and later calls are compared exactly, and so',
    'are retries, time-outs, checks, caches and breakers.',
    'A revision is read with its own gateway file, and with the plugins that are installed now.',
    '',
    'Exit code, as for diff: 0 nothing changes, 1 something changes or could not be compared, 2 wrong use, or a config has errors.',
  ].join('\n'),
  examples: ['gw diff --rev HEAD configs', 'gw diff main:configs/prod.json configs/prod.json'],
} as const satisfies CommandSpec;

export const diffTree: CommandTree = { spec };

type Sources = readonly [before: Source, after: Source];

const findSources = async (
  services: CommandServices,
  [first = '', second]: readonly string[],
  { rev, ...flags }: SourceFlags & { readonly rev?: string | undefined },
): Promise<Sources> => {
  if (rev === undefined) {
    if (second === undefined)
      throw new UsageError('gw diff requires OLD and NEW, or --rev REVISION and PATH.', 'See gw diff --help.');
    return [await findSource(services, first, flags), await findSource(services, second, flags)];
  }
  if (second !== undefined)
    throw new UsageError('With --rev, gw diff takes one path.', 'It is compared with what it was at that revision.');
  const after = await findSource(services, first, flags);
  return [await fromRevision(services, { revision: rev, path: first, isFromRoot: false }, flags), after];
};

const formats = { human: diffText, json: diffJson, markdown: diffMarkdown } as const;

/** `gw diff`: prints how the behaviour of configs changes. Throws a `UsageError`. */
export const diff = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { io } = services;
  const given = readCommandLine(spec, argv, io.out);
  if (given === undefined) return 0;
  const { values, positionals } = given;
  const { format = 'human', ...flags } = values;
  const [before, after] = await findSources(services, positionals, flags);
  const files = [...before.files, ...after.files];
  if (countDiagnostics(files).errors > 0) {
    if (format === 'json') io.out.write(formatJson(files));
    else io.err.write(findingsText(files, io.out));
    return 2;
  }
  const configs = await compareSources(before, after);
  io.out.write(formats[format](configs));
  return configs.every(isSameConfig) ? 0 : 1;
};
