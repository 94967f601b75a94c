import type { Severity } from '../../../schema/errors/diagnostic.ts';
import { formatCount } from '../../../schema/text/format-count.ts';
import { formatList } from '../../../schema/text/format-list.ts';
import { createRenderer } from '../../diagnostic-text/render.ts';
import type { TextOutput } from '../command-line/services.ts';
import type { CompiledFile } from './compiled-file.ts';

export interface Counts {
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
}

export const countDiagnostics = (files: readonly CompiledFile[]): Counts => {
  const severities = files.flatMap(({ diagnostics }) => diagnostics.map(({ severity }) => severity));
  const count = (wanted: Severity): number => severities.filter((severity) => severity === wanted).length;
  return { errors: count('error'), warnings: count('warning'), notes: count('note') };
};

/** Formats findings as text, each followed by an empty line. */
export const formatDiagnostics = (files: readonly CompiledFile[], { colour }: Pick<TextOutput, 'colour'>): string =>
  files
    .flatMap(({ text, diagnostics }) => {
      const render = createRenderer({ text, colour });
      return diagnostics.map((each) => `${render(each)}\n\n`);
    })
    .join('');

/** How many characters are written at once, unless the findings of one file are longer. */
const batchLength = 65_536;

/** Writes findings as text, batch by batch, so that those of thousands of files are never in memory together. */
export const writeDiagnostics = (files: readonly CompiledFile[], out: TextOutput): void => {
  let batch = '';
  for (const file of files) {
    batch += formatDiagnostics([file], out);
    if (batch.length < batchLength) continue;
    out.write(batch);
    batch = '';
  }
  if (batch !== '') out.write(batch);
};

/** Counts findings in a sentence: `10 errors and 1 warning in 2 files.` */
export const countText = ({ errors, warnings, notes }: Counts, files: number): string => {
  const where = formatCount(files, 'file');
  if (errors + warnings + notes === 0) return `${where}, nothing to report.`;
  const counts = [
    ...(errors > 0 ? [formatCount(errors, 'error')] : []),
    ...(warnings > 0 ? [formatCount(warnings, 'warning')] : []),
    ...(notes > 0 ? [formatCount(notes, 'note')] : []),
  ];
  return `${formatList(counts)} in ${where}.`;
};

/** Formats the findings of configs that have no plan, and their number. */
export const findingsText = (files: readonly CompiledFile[], out: Pick<TextOutput, 'colour'>): string =>
  `${formatDiagnostics(files, out)}${countText(countDiagnostics(files), files.length)}\n`;

/** Describes how to see more about the findings; empty if there are none. */
export const moreText = ({ errors, warnings, notes }: Counts): string =>
  errors + warnings + notes === 0 ? '' : 'For details of a code, run gw explain --code CODE.\n';

/** Formats findings as one JSON document: for each file its plan's name and hash, or null, and its diagnostics. */
export const formatJson = (files: readonly CompiledFile[], more: object = {}): string =>
  `${JSON.stringify(
    {
      files: files.map(({ file, written, plan = written, diagnostics }) => ({
        file,
        plan: plan === undefined ? null : { name: plan.name, hash: plan.hash },
        diagnostics,
      })),
      ...countDiagnostics(files),
      ...more,
    },
    undefined,
    2,
  )}\n`;
