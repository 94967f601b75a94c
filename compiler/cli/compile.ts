import path from 'node:path';
import type { CommandSpec, CommandTree } from '../../schema/command-help/command-spec.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { planFileName } from '../../schema/plan/plan-file-name.ts';
import { formatCount } from '../../schema/text/format-count.ts';
import { type EmittedPlan, emitPlan } from '../emit/emit-plan.ts';
import type { ExitCode } from './command-line/exit-code.ts';
import { configOption, formatOption } from './command-line/format-option.ts';
import { readCommandLine } from './command-line/parse-command-line.ts';
import type { CommandServices } from './command-line/services.ts';
import { UsageError } from './command-line/usage-error.ts';
import { compileFiles } from './configs/compiled-files.ts';
import { manyConfigs, withThreads } from './configs/with-threads.ts';
import { formatDuration } from './explain/words.ts';
import { displayPath } from './files/config-files.ts';
import { type ModuleFormat, moduleFormat } from './files/module-marker.ts';
import { writeFiles } from './files/write-files.ts';
import type { CompiledFile } from './report/compiled-file.ts';
import { countDiagnostics, countText, formatJson, writeDiagnostics } from './report/report.ts';

const spec = {
  name: 'gw compile',
  summary: 'Compiles each config to a plan: NAME.plan.json for the gateway, and NAME.plan.ts with types for its names.',
  positionals: 'FILE|DIR…',
  takes: { min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    out: { type: 'string', value: 'DIR', describe: 'The folder to write to; required.' },
    config: configOption,
    'no-types': { type: 'boolean', describe: 'Do not write NAME.plan.ts.' },
    format: formatOption,
  },
  notes:
    'NAME is the "name" of the config, or the name of its file. The same configs give the same bytes on every machine.\n' +
    'In a CommonJS package, a package.json is written to DIR too, so that Node loads the modules in it as ES modules.\n' +
    'If any config has an error, nothing is written. Exit code: 0 written, 1 errors, 2 the command cannot be run.',
  examples: ['gw compile configs --out plans'],
} as const satisfies CommandSpec;

export const compileTree: CommandTree = { spec };

interface Output {
  readonly source: string;
  readonly plan: Pick<RoutingPlan, 'name' | 'hash' | 'bounds'>;
  /** Path → text. */
  readonly files: ReadonlyMap<string, string>;
}

const toOutput = (file: string, plan: Output['plan'], emitted: EmittedPlan, out: string): Output => {
  if ('missing' in emitted) throw new UsageError(emitted.missing.fact, emitted.missing.hint);
  const base = path.join(out, planFileName(plan.name));
  const files = new Map([[`${base}.plan.json`, emitted.json]]);
  if (emitted.module !== undefined) files.set(`${base}.plan.ts`, emitted.module);
  return { source: file, plan, files };
};

/** Throws if two configs would be written to the same path, including on a disk that does not distinguish case. */
const refuseCollisions = (outputs: readonly Output[]): void => {
  const sources = new Map<string, string>();
  for (const { source, files } of outputs)
    for (const file of files.keys()) {
      const other = sources.get(file.toLowerCase());
      if (other !== undefined && other !== source)
        throw new UsageError(
          `${other} and ${source} would both be written to ${file}.`,
          'Give one of them a different name.',
        );
      sources.set(file.toLowerCase(), source);
    }
};

const outputText = ({ plan, files }: Output, cwd: string): string => {
  const { calls, waitMs } = plan.bounds;
  const paths = [...files.keys()].map((file) => displayPath(file, cwd));
  const bounds = `at most ${formatCount(calls, 'call')}, ${formatDuration(waitMs)}`;
  return `${paths.join(', ')}  ${plan.hash.slice(0, 'sha256:'.length + 12)}  ${bounds}\n`;
};

const formatText = (format: ModuleFormat, cwd: string): string => {
  if (format.kind === 'importable') return '';
  const file = displayPath(format.file, cwd);
  return format.kind === 'marked'
    ? `${file}  lets Node load the modules beside it as ES modules\n`
    : `note: Node cannot load the modules as ES modules here, because ${file} makes the folder a CommonJS package. ` +
        'Write them to a folder of their own, such as --out plans, or run: npm pkg set type=module\n';
};

/** `gw compile`: writes all plans or none. Returns 1 if a config has an error. Throws a `UsageError`. */
export const compile = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { io } = services;
  const given = readCommandLine(spec, argv, io.out);
  if (given === undefined) return 0;
  const { values, positionals } = given;
  const { out, format } = values;
  if (out === undefined) throw new UsageError('gw compile requires the flag --out.', 'Write --out DIR.');
  if ((await io.readKind(out)) === 'file')
    throw new UsageError(`--out ${out} is a file.`, 'Name a folder; it is created if it does not exist.');
  const types = !values['no-types'];
  const many = types ? manyConfigs.typed : manyConfigs.plain;
  const { environment, files, threads } = await compileFiles(services, {
    paths: positionals,
    config: values.config,
    many,
    // Modules take time, and are needed only if no config has an error.
    writes: !types,
  });
  const counts = countDiagnostics(files);
  const toOutputs = async ({ file, plan, written }: CompiledFile): Promise<readonly Output[]> => {
    if (written !== undefined) return [toOutput(file, written, written, out)];
    if (plan === undefined) return [];
    const emitting = { plan, types, labels: environment.saved.labels };
    return [toOutput(file, plan, await (threads?.emit(emitting) ?? emitPlan(emitting)), out)];
  };
  const compiled = counts.errors > 0 ? [] : files;
  const outputs = (await withThreads(compiled, threads ?? { count: 1 }, toOutputs)).flat();
  refuseCollisions(outputs);
  const modules: ModuleFormat = outputs.length === 0 || !types ? { kind: 'importable' } : await moduleFormat(out, io);
  const made = new Map(outputs.flatMap((output) => [...output.files]));
  if (modules.kind === 'marked') made.set(modules.file, modules.text);
  await writeFiles(made, { named: out, hint: 'Name another folder with --out.' }, io);
  if (format === 'json') {
    const written = [...made.keys()].map((file) => displayPath(file, io.cwd));
    io.out.write(formatJson(files, { written }));
  } else {
    const summary = counts.errors + counts.warnings > 0 ? `${countText(counts, files.length)}\n` : '';
    const nothing = counts.errors > 0 ? 'Nothing was written.\n' : '';
    const lines = outputs.map((output) => outputText(output, io.cwd));
    writeDiagnostics(files, io.out);
    io.out.write([summary, nothing, ...lines, formatText(modules, io.cwd)].join(''));
  }
  return counts.errors > 0 ? 1 : 0;
};
