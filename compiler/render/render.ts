import { styleText } from 'node:util';
import type { Diagnostic, Severity } from '../../schema/errors/diagnostic.ts';
import type { DiagnosticCode } from '../diagnostics/table.ts';
import { maskSecrets } from './mask-secrets.ts';

export interface RenderOptions {
  /** The text the diagnostic is about; secrets in it are not shown. */
  readonly text: string;
  readonly colour?: boolean;
}

type Style = Parameters<typeof styleText>[0];

const tones = { error: 'red', warning: 'yellow', note: 'cyan' } as const satisfies Record<Severity, Style>;

/** How much of a line is shown on either side of a finding: the config of a header is one long line. */
const before = 60;
const after = 60;
const wholeLine = 160;

interface Excerpt {
  readonly shown: string;
  readonly padding: string;
  readonly marks: string;
}

/** Where the finding is a secret, its place is enough. */
const secretDiagnostics: ReadonlySet<string> = new Set<DiagnosticCode>(['inline-secret', 'credential-in-parameters']);

const withoutDiagnostic = (text: string, { code, span: { offset, length } }: Diagnostic): string =>
  secretDiagnostics.has(code) && length > 2
    ? `${text.slice(0, offset + 1)}${'•'.repeat(length - 2)}${text.slice(offset + length - 1)}`
    : text;

const toExcerpt = (diagnostic: Diagnostic, text: string): Excerpt => {
  const { span } = diagnostic;
  const lines = withoutDiagnostic(maskSecrets(text, diagnostic.file), diagnostic).split(/\r\n|\n|\r/);
  const line = (lines[span.line - 1] ?? '').replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
  const start = span.column - 1;
  const end = Math.min(line.length, start + span.length);
  const isCut = line.length > wholeLine;
  const from = isCut && start > before ? start - before : 0;
  const to = isCut && line.length > end + after ? end + after : line.length;
  const lead = from > 0 ? '…' : '';
  return {
    shown: `${lead}${line.slice(from, to)}${to < line.length ? '…' : ''}`,
    padding: ' '.repeat(lead.length + start - from),
    marks: '^'.repeat(Math.max(1, end - start)),
  };
};

/** A diagnostic for people, with the line it is about; without a line break at its end. */
export const renderDiagnostic = (diagnostic: Diagnostic, { text, colour = false }: RenderOptions): string => {
  const { code, severity, message, hint, file, pointer, span } = diagnostic;
  const paint = (style: Style, words: string): string =>
    colour ? styleText(style, words, { validateStream: false }) : words;
  const tone = tones[severity];
  const { shown, padding, marks } = toExcerpt(diagnostic, text);
  const number = String(span.line);
  const margin = ' '.repeat(number.length);
  const frame = (bar: string): string => paint('blue', bar);
  const place = [`${file ?? 'config'}:${span.line}:${span.column}`, ...(pointer === '' ? [] : [pointer])];
  return [
    `${paint([tone, 'bold'], `${severity}[${code}]`)}${paint('bold', `: ${message}`)}`,
    `${margin} ${frame('┌─')} ${place.join('  ').replace(/[\p{Cc}\u2028\u2029]/gu, '\uFFFD')}`,
    `${frame(`${number} │`)} ${shown}`,
    `${margin} ${frame('│')} ${padding}${paint(tone, marks)}`,
    ...(hint === undefined ? [] : [`${margin} ${frame('=')} hint: ${hint}`]),
  ].join('\n');
};
