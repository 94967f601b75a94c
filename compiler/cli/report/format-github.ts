import type { Diagnostic, Severity } from '../../../schema/errors/diagnostic.ts';
import type { CompiledFile } from './compiled-file.ts';
import { endOf } from './end-of.ts';

/** See https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands. */
const escapeMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string | number): string =>
  escapeMessage(String(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' };

const toCommand = ({ code, severity, message, hint, span }: Diagnostic, { file, text }: CompiledFile): string => {
  const end = endOf(span, text);
  const properties = Object.entries({
    file,
    line: span.line,
    endLine: end.line,
    // Columns are meaningful only within one line.
    ...(end.line === span.line ? { col: span.column, endColumn: end.column } : {}),
    title: code,
  }).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  const words = hint === undefined ? message : `${message}\n${hint}`;
  return `::${commands[severity]} ${properties.join(',')}::${escapeMessage(words)}\n`;
};

/** Formats findings as commands that annotate a change on GitHub. */
export const formatGithub = (files: readonly CompiledFile[]): string =>
  files.flatMap((file) => file.diagnostics.map((each) => toCommand(each, file))).join('');
