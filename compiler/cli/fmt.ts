import type { CommandSpec, CommandTree } from '../../schema/command-help/command-spec.ts';
import { formatCount } from '../../schema/text/format-count.ts';
import { NotUtf8Error, utf8Text } from '../../schema/text/utf8-text.ts';
import type { ExitCode } from './command-line/exit-code.ts';
import { readCommandLine } from './command-line/parse-command-line.ts';
import type { CommandIo } from './command-line/services.ts';
import { UsageError } from './command-line/usage-error.ts';
import { readText } from './files/read-text.ts';
import { writeBack } from './files/write-back.ts';
import { type FormattedFile, formatFile } from './format-file.ts';
import { filesToFormat } from './format-files.ts';
import { formatDiagnostics } from './report/report.ts';

const spec = {
  name: 'gw fmt',
  summary:
    'Formats configs, gateway files and route tests. Only white space changes; comments and the order of members stay.',
  positionals: 'FILE|DIR…',
  takes: { min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    check: {
      type: 'boolean',
      describe: 'Write nothing; list the files that are not formatted, and fail if there are any.',
    },
    'stdin-name': {
      type: 'string',
      value: 'FILE',
      describe: 'With -: a file name whose extension determines the format of the input; JSON by default.',
    },
  },
  notes: [
    'In a folder, every .json, .jsonc, .yaml and .yml file is formatted, including those of its sub-folders, except compiled plans,',
    'lists of models, the files of npm, and everything in node_modules or in hidden folders. With -, the standard input is formatted',
    'and written to the standard output.',
    '',
    'Indentation is two spaces. An object or list is kept on one line if it takes at most 120 characters. An object whose first member',
    'starts on a new line stays on several lines. Several blank lines become one. In JSON, commas before a closing bracket are removed.',
    'Simple values are kept as written, and all line breaks become like the first one in the file.',
    '',
    'A file that cannot be read is left unchanged and reported. Permissions are kept, and a link stays a link.',
    '',
    'Exit code: 0 all files are formatted; 1 a file has errors, or with --check is not formatted; 2 the command cannot be run.',
  ].join('\n'),
  examples: ['gw fmt .', 'gw fmt . --check'],
} as const satisfies CommandSpec;

export const fmtTree: CommandTree = { spec };

/** The argument for the standard input. */
const input = '-';

/** Larger than any file that people write. */
const maxInputBytes = 16 * 1024 * 1024;

const readInput = async (io: CommandIo): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of io.readChunks(input)) {
    bytes += part.length;
    if (bytes > maxInputBytes)
      throw new UsageError(`The standard input has more than ${maxInputBytes} bytes.`, 'Name files instead.');
    parts.push(part);
  }
  try {
    return utf8Text(Buffer.concat(parts));
  } catch (error) {
    if (!(error instanceof NotUtf8Error)) throw error;
    throw new UsageError(`The standard input cannot be read: line ${error.line} is not in UTF-8.`, 'Send it as UTF-8.');
  }
};

const report = (
  { file, text, formatted }: { readonly file: string; readonly text: string; readonly formatted: FormattedFile },
  { err }: CommandIo,
): void => {
  if (formatted.kind === 'broken')
    err.write(formatDiagnostics([{ file, text, diagnostics: formatted.diagnostics }], err));
  if (formatted.kind === 'left')
    err.write(
      `gw: ${file} was left unchanged, because more than its white space would change. Format it by hand, or write it more simply.\n`,
    );
};

/** Whether a file is as it should be when the command has ended. */
const isGood = ({ kind }: FormattedFile, isCheck: boolean): boolean =>
  kind === 'same' || (kind === 'changed' && !isCheck);

/** Prints the text whatever is wrong with it, so that an editor that pipes through this command loses nothing. */
const fmtInput = async (io: CommandIo, file: string, isCheck: boolean): Promise<ExitCode> => {
  const text = await readInput(io);
  const formatted = await formatFile(text, file);
  report({ file, text, formatted }, io);
  if (!isCheck) io.out.write(formatted.kind === 'changed' ? formatted.text : text);
  else if (formatted.kind === 'changed') io.out.write(`${file} is not formatted.\n`);
  return isGood(formatted, isCheck) ? 0 : 1;
};

interface Total {
  changed: number;
  /** The number of files that have errors, or could not be read or written. */
  failed: number;
}

const fmtFile = async (io: CommandIo, file: string, isCheck: boolean): Promise<FormattedFile> => {
  if (await io.isEndless(file))
    throw new UsageError(`The file "${file}" is a pipe or a device.`, 'Format the standard input: gw fmt -.');
  const text = await readText(io, file);
  const formatted = await formatFile(text, file);
  report({ file, text, formatted }, io);
  if (formatted.kind !== 'changed') return formatted;
  if (!isCheck) await writeBack({ file, before: text, after: formatted.text }, io);
  io.out.write(isCheck ? `${file} is not formatted.\n` : `${file} was formatted.\n`);
  return formatted;
};

/** `gw fmt`. Throws a `UsageError`. */
export const fmt = async (io: CommandIo, argv: readonly string[]): Promise<ExitCode> => {
  const given = readCommandLine(spec, argv, io.out);
  if (given === undefined) return 0;
  const { values, positionals } = given;
  const { check: isCheck = false, 'stdin-name': name } = values;
  if (positionals.includes(input)) {
    if (positionals.length > 1) throw new UsageError('- cannot be combined with files.', 'Use - on its own.');
    return fmtInput(io, name ?? 'stdin.json', isCheck);
  }
  if (name !== undefined) throw new UsageError('--stdin-name is given without -.', 'Add -, or remove the flag.');
  const total: Total = { changed: 0, failed: 0 };
  const files = await filesToFormat(io, positionals);
  for (const file of files) {
    try {
      const formatted = await fmtFile(io, file, isCheck);
      if (formatted.kind === 'changed') total.changed += 1;
      else if (formatted.kind !== 'same') total.failed += 1;
    } catch (error) {
      // The remaining files are still formatted.
      if (!(error instanceof UsageError)) throw error;
      io.err.write(`gw: ${error.message} ${error.hint}\n`);
      total.failed += 1;
    }
  }
  const counts = [
    ...(total.changed > 0 ? [`${total.changed} ${isCheck ? 'to format' : 'formatted'}`] : []),
    ...(total.failed > 0 ? [`${total.failed} failed`] : []),
  ];
  io.out.write(
    `${[formatCount(files.length, 'file'), ...(counts.length > 0 ? counts : ['nothing to change'])].join(', ')}.\n`,
  );
  return total.failed > 0 || (isCheck && total.changed > 0) ? 1 : 0;
};
