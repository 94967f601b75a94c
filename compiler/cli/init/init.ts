import path from 'node:path';
import type { CommandSpec, CommandTree, OptionValues } from '../../../schema/command-help/command-spec.ts';
import { closestName } from '../../../schema/text/closest-name.ts';
import type { ExitCode } from '../command-line/exit-code.ts';
import { readCommandLine } from '../command-line/parse-command-line.ts';
import type { CommandIo, CommandServices } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { displayPath } from '../files/config-files.ts';
import { readText } from '../files/read-text.ts';
import { refuseUnsearchable } from '../files/refuse-unsearchable.ts';
import { writeFiles } from '../files/write-files.ts';
import { type Ask, terminalAsk } from './ask-terminal.ts';
import { type Answers, type Question, questions } from './choices.ts';
import { type InitFile, initFiles } from './init-files.ts';

const option = <Each extends Question>(
  name: Each,
  describe: string,
): { readonly type: 'string'; readonly choices: (typeof questions)[Each]['choices']; readonly describe: string } => ({
  type: 'string',
  choices: questions[name].choices,
  describe,
});

const spec = {
  name: 'gw init',
  summary: 'Writes a first set-up: a gateway file, a config, a route test for it, and a CI job.',
  positionals: '[FOLDER]',
  takes: { min: 0, max: 1 },
  options: {
    provider: option('provider', 'The provider that requests are sent to first.'),
    fallback: option('fallback', 'The provider to use if the first one fails.'),
    store: option('store', 'Where keys, logs and limits are kept.'),
    ci: option('ci', 'The CI that runs gw check and gw test.'),
    yes: {
      type: 'boolean',
      describe: 'Do not ask; a flag that is not given has the first value that is listed for it.',
    },
  },
  notes: [
    'FOLDER is the working folder by default, and is created if it does not exist. On a terminal, each flag that is not given is',
    'asked for. Existing files are never changed: if one is in the way, nothing is written.',
    '',
    'Exit code: 0 written, 2 the command cannot be run.',
  ].join('\n'),
  examples: ['gw init first --provider openai --fallback anthropic --yes'],
} as const satisfies CommandSpec;

export const initTree: CommandTree = { spec };

type Values = OptionValues<(typeof spec)['options']>;

/** Asks until the answer is one of the choices. An empty answer is the first choice. */
const askUntilKnown = async (
  question: string,
  choices: readonly string[],
  { ask, io }: { readonly ask: Ask; readonly io: CommandIo },
): Promise<string> => {
  for (;;) {
    const typed = (await ask(question, choices)).toLowerCase();
    const choice = typed === '' ? choices[0] : choices.find((each) => each === typed);
    if (choice !== undefined) return choice;
    const closest = closestName(typed, choices);
    const hint = closest === undefined ? `Answers are ${choices.join(', ')}.` : `Did you mean ${closest}?`;
    io.out.write(`"${typed.replaceAll(/\p{Cc}/gu, ' ')}" is not one of the answers. ${hint}\n`);
  }
};

const isQuestion = (name: string): name is Question => Object.hasOwn(questions, name);

const readAnswers = async (values: Values, ask: Ask | undefined, io: CommandIo): Promise<Answers> => {
  const names = Object.keys(questions).filter(isQuestion);
  const missing = names.filter((name) => values[name] === undefined);
  if (values.yes !== true && ask === undefined && missing.length > 0)
    throw new UsageError(
      'gw init asks its questions on a terminal, and standard input is not one.',
      `Pass --yes, and ${missing.map((name) => `--${name}`).join(', ')} if you do not want the default.`,
    );
  const answers: Record<string, string> = {};
  for (const name of names) {
    const { ask: question, choices: all } = questions[name];
    // A provider cannot be its own fallback.
    const choices = name === 'fallback' ? all.filter((each) => each !== answers.provider) : all;
    const given = values[name];
    if (given !== undefined && !choices.some((each) => each === given))
      throw new UsageError(`The fallback of ${given} cannot be ${given}.`, 'Name another one, or none.');
    const isAsked = given === undefined && values.yes !== true && ask !== undefined;
    answers[name] = isAsked ? await askUntilKnown(question, choices, { ask, io }) : (given ?? choices[0] ?? '');
  }
  // Each value is one of the question's own answers.
  return answers as Answers;
};

/** Returns the lines that an existing file, which is kept, does not have. */
const missingLines = async (io: CommandIo, file: string, text: string): Promise<readonly string[]> => {
  const lines = new Set((await readText(io, file)).split(/\r?\n/).map((line) => line.trim()));
  return text.split('\n').filter((line) => line.trim() !== '' && !lines.has(line.trim()));
};

const inFolder = (folder: string, files: readonly InitFile[]): readonly InitFile[] =>
  files.map((each) => ({ ...each, file: path.join(folder, each.file) }));

/** Throws if a file that the set-up needs exists already, or if that cannot be seen. */
const refuseOthers = async (io: CommandIo, files: readonly InitFile[]): Promise<void> => {
  for (const { file, kept } of files) {
    if (kept || (await io.readKind(file)) === undefined) continue;
    await refuseUnsearchable(io, file);
    throw new UsageError(
      `${displayPath(file, io.cwd)} already exists, so nothing was written.`,
      'Name another folder: gw init FOLDER. Or move that file away.',
    );
  }
};

const nextSteps = (folder: string): string =>
  [
    '',
    'Next:',
    ...(folder === '.' ? [] : [`  cd ${folder}`]),
    '  gw check configs',
    '  gw test',
    '  set -a; . ./.env.example; set +a    # or .env, with your own keys',
    '  gw serve',
    '',
    'gw serve prints a curl command that it answers without an account anywhere.',
    '',
  ].join('\n');

/** `gw init`: writes the files of a new set-up. Throws a `UsageError`. */
export const init = async (
  services: Pick<CommandServices, 'io' | 'versions'>,
  argv: readonly string[],
  ask: Ask | undefined = terminalAsk(),
): Promise<ExitCode> => {
  const { io, versions } = services;
  const given = readCommandLine(spec, argv, io.out);
  if (given === undefined) return 0;
  const { values, positionals } = given;
  const [folder = '.'] = positionals;
  if ((await io.readKind(folder)) === 'file')
    throw new UsageError(`"${folder}" is a file.`, 'Name a folder, or none for the working folder.');
  await refuseOthers(
    io,
    inFolder(folder, initFiles({ provider: 'openai', fallback: 'none', store: 'none', ci: 'none' }, '')),
  );
  const files = inFolder(folder, initFiles(await readAnswers(values, ask, io), versions.gatewright));
  const kinds = await Promise.all(files.map(({ file }) => io.readKind(file)));
  const written = files.filter((_, index) => kinds[index] === undefined);
  const texts = new Map(written.map(({ file, text }) => [file, text]));
  await writeFiles(texts, { named: folder, hint: 'Name another folder: gw init FOLDER.' }, io);
  for (const { file } of written) io.out.write(`${displayPath(file, io.cwd)}\n`);
  for (const { file, text } of files.filter((_, index) => kinds[index] !== undefined)) {
    const lines = await missingLines(io, file, text);
    if (lines.length > 0)
      io.out.write(
        `\n${displayPath(file, io.cwd)} already exists and was not changed. Add to it:\n${lines.map((line) => `  ${line}\n`).join('')}`,
      );
  }
  io.out.write(nextSteps(displayPath(folder, io.cwd)));
  return 0;
};
