import type { CommandSpec, CommandTree } from '../../schema/command-help/command-spec.ts';
import type { ExitCode } from './command-line/exit-code.ts';
import { configOption, formatOption, storeOptions } from './command-line/format-option.ts';
import { readCommandLine } from './command-line/parse-command-line.ts';
import type { CommandServices } from './command-line/services.ts';
import { UsageError } from './command-line/usage-error.ts';
import { findSourcePlan } from './diff/find-source-plan.ts';
import { missingPath } from './files/missing-path.ts';
import { readLogLines } from './replay/read-lines.ts';
import { LogReplay, refuseOther } from './replay/replay-line.ts';
import { ReplayCounts } from './replay/replay-summary.ts';
import { lineText, summaryText, UnreadableLines } from './replay/replay-words.ts';

const spec = {
  name: 'gw replay',
  summary: 'Shows where the requests of a log would have gone with another config. Nothing is sent.',
  positionals: '',
  takes: { min: 0, max: 0 },
  options: {
    log: {
      type: 'string',
      value: 'FILE',
      describe: 'The request log, with one JSON object per line; - is the standard input.',
    },
    on: {
      type: 'string',
      value: 'NEW',
      describe: 'The config, named as for gw diff: a file, REVISION:PATH, NAME or NAME@VERSION.',
    },
    from: {
      type: 'string',
      value: 'OLD',
      describe: 'The config that the log was recorded with, so that its choices reveal what the requests were like.',
    },
    all: { type: 'boolean', describe: 'Print every request, not only the counts.' },
    ...storeOptions,
    config: configOption,
    format: formatOption,
  },
  notes: [
    'The log is the output of a gateway with GW_LOG=requests, or of gw logs export. It is read line by line, so it can have any size.',
    '',
    'Upstreams, circuits and checks behave as recorded for the same target; a target that a request did not call answers with 200.',
    'A request is undecided if a condition reads something that the log lacks: most logs have no body, and metadata only with a store.',
    'With --from, the recorded choices help to decide conditions too, and targets may have other names.',
    '',
    'A request is unchanged if its calls and its status are the same, and refused if it now calls no target. With --format json and',
    '--all, each request is an object on its own line, and the counts are the last line.',
    '',
    'A line that cannot be read is skipped and reported with its number. If no line can be read, the command cannot be run.',
    '',
    'Exit code: 0 replayed, 1 the config has errors, 2 the command cannot be run.',
  ].join('\n'),
  examples: ['gw replay --log requests.log --on configs/prod.json'],
} as const satisfies CommandSpec;

export const replayTree: CommandTree = { spec };

const required = (name: string, value: string | undefined): string => {
  if (value === undefined) throw new UsageError(`gw replay requires --${name}.`, 'See gw replay --help.');
  return value;
};

const refuseFolder = async ({ io }: CommandServices, file: string): Promise<void> => {
  const kind = file === '-' ? 'file' : await io.readKind(file);
  if (kind === 'file') return;
  const otherwise = `Name one log. Paths start at ${io.cwd}.`;
  if (kind === undefined) throw await missingPath(io, { what: 'file', given: file, otherwise });
  throw new UsageError(`"${file}" is a folder.`, otherwise);
};

/** `gw replay`: prints where the requests of a log would have gone. Throws a `UsageError`. */
export const replay = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { io } = services;
  const given = readCommandLine(spec, argv, io.out);
  if (given === undefined) return 0;
  const { values } = given;
  const { log, on: name, from: recordedOn, all = false, format = 'human', ...rest } = values;
  const [file, on] = [required('log', log), required('on', name)];
  await refuseFolder(services, file);
  const json = format === 'json';
  const found = await findSourcePlan(services, on, { ...rest, json });
  if (found === undefined) return 1;
  const from = recordedOn === undefined ? undefined : await findSourcePlan(services, recordedOn, { ...rest, json });
  if (recordedOn !== undefined && from === undefined) return 1;
  const { plan, environment } = found;
  const replaying = new LogReplay((replayed, script) => services.replay(replayed, script, environment), {
    plan,
    ...(from && { from: from.plan }),
  });
  const counts = new ReplayCounts();
  const unreadable = new UnreadableLines((said) => io.err.write(said));
  for await (const line of readLogLines(io, file)) {
    const replayed = await replaying.replay(line);
    counts.add(replayed);
    unreadable.look(replayed);
    const text = json ? JSON.stringify(replayed) : lineText(replayed);
    if (all && text !== undefined) io.out.write(`${text}\n`);
  }
  const summary = counts.summary();
  unreadable.end();
  if (summary.requests + summary.copies === 0) return refuseOther(file, summary.unreadable);
  if (json) io.out.write(`${JSON.stringify(summary, undefined, all ? undefined : 2)}\n`);
  else io.out.write(`${all ? '\n' : ''}${summaryText(summary, on)}`);
  return 0;
};
