import { styleText } from 'node:util';
import type { Diagnostic, Severity } from '../../schema/errors/diagnostic.ts';
import type { DiagnosticCode } from '../diagnostics/table.ts';
import { maskSecrets } from './mask-secrets.ts';

export interface RenderOptions {
  /** The text that the diagnostic is about. Secrets in it are not shown. */
  readonly text: string;
  readonly colour?: boolean;
}

type Style = Parameters<typeof styleText>[0];

const tones = { error: 'red', warning: 'yellow', note: 'cyan' } as const satisfies Record<Severity, Style>;

/** How much of a long line is shown: of the finding, and on either side of it. The config in a header is one long line. */
const within = 120;
const before = 60;
const after = 60;
const wholeLine = 160;

interface Excerpt {
  readonly shown: string;
  readonly padding: string;
  readonly marks: string;
}

/** Codes of findings about a secret. For these, the place is enough. */
const secretDiagnostics: ReadonlySet<string> = new Set<DiagnosticCode>(['inline-secret', 'credential-in-parameters']);

/** Returns a line without the secret that was found in it; its quotes stay. */
const withoutSecret = (line: string, { span: { column, length } }: Diagnostic): string => {
  const [from, to] = [column, Math.min(line.length, column + length - 2)];
  return to <= from ? line : `${line.slice(0, from)}${'•'.repeat(to - from)}${line.slice(to)}`;
};

const toExcerpt = (diagnostic: Diagnostic, lines: readonly string[]): Excerpt => {
  const { code, span } = diagnostic;
  const written = lines[span.line - 1] ?? '';
  const masked = secretDiagnostics.has(code) ? withoutSecret(written, diagnostic) : written;
  const line = masked.replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
  const start = span.column - 1;
  const isCut = line.length > wholeLine;
  const end = Math.min(line.length, start + (isCut ? Math.min(within, span.length) : span.length));
  const from = isCut && start > before ? start - before : 0;
  const to = isCut && line.length > end + after ? end + after : line.length;
  const lead = from > 0 ? '…' : '';
  return {
    shown: `${lead}${line.slice(from, to)}${to < line.length ? '…' : ''}`,
    padding: ' '.repeat(lead.length + start - from),
    marks: '^'.repeat(Math.max(1, end - start)),
  };
};

/** Renders one diagnostic of a text. Secrets in the text are looked for only once. */
export type RenderOne = (diagnostic: Diagnostic) => string;

/** Creates a function that renders a diagnostic as text with the line that it is about, without a trailing line break. */
export const createRenderer = ({ text, colour = false }: RenderOptions): RenderOne => {
  const linesOf = new Map<string | undefined, readonly string[]>();
  const toLines = (file: string | undefined): readonly string[] => {
    // Columns do not count a byte order mark.
    const known =
      linesOf.get(file) ??
      maskSecrets(text, file)
        .replace(/^\uFEFF/, '')
        .split(/\r\n|\n|\r/);
    linesOf.set(file, known);
    return known;
  };
  const paint = (style: Style, words: string): string =>
    colour ? styleText(style, words, { validateStream: false }) : words;
  const frame = (bar: string): string => paint('blue', bar);
  return (diagnostic) => {
    const { code, severity, message, hint, file, pointer, span } = diagnostic;
    const tone = tones[severity];
    const { shown, padding, marks } = toExcerpt(diagnostic, toLines(file));
    const number = String(span.line);
    const margin = ' '.repeat(number.length);
    const place = [`${file ?? 'config'}:${span.line}:${span.column}`, ...(pointer === '' ? [] : [pointer])];
    return [
      `${paint([tone, 'bold'], `${severity}[${code}]`)}${paint('bold', `: ${message}`)}`,
      `${margin} ${frame('┌─')} ${place.join('  ').replace(/[\p{Cc}\u2028\u2029]/gu, '\uFFFD')}`,
      `${frame(`${number} │`)} ${shown}`,
      `${margin} ${frame('│')} ${padding}${paint(tone, marks)}`,
      ...(hint === undefined ? [] : [`${margin} ${frame('=')} hint: ${hint}`]),
    ].join('\n');
  };
};

/** Renders a single diagnostic. */
export const renderDiagnostic = (diagnostic: Diagnostic, options: RenderOptions): string =>
  createRenderer(options)(diagnostic);
