import { toPointer } from '../../schema/json/pointer.ts';
import { createReporter, type Reporter, type ReporterOptions } from '../diagnostics/reporter.ts';
import { type ConfigDocument, configDocument } from './config-document.ts';
import { reportDuplicateKeys } from './duplicate-keys.ts';
import { readSyntax, type SyntaxOptions } from './read-syntax.ts';
import type { SyntaxMember } from './syntax-tree.ts';
import { toSpans } from './to-spans.ts';

export interface ParseOptions extends SyntaxOptions, ReporterOptions {
  readonly file?: string;
  /** A `$schema` member of the root is for editors: left out of the value. */
  readonly schemaMember: boolean;
}

/** The document and who collects what is found in it; without a document the text is not JSON, and that is reported. */
export interface Parsed {
  readonly document?: ConfigDocument;
  readonly reporter: Reporter;
}

const isSchemaMember = ({ name, value }: SyntaxMember): boolean =>
  name === '$schema' && value.kind === 'literal' && typeof value.value === 'string';

/** Some editors put a byte order mark before the text. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text);

export const parseConfig = (source: string, { file, comments, schemaMember, stops = false }: ParseOptions): Parsed => {
  const text = withoutMark(source);
  const reading = readSyntax(text, { comments });
  const spanAt = toSpans(text);
  if (!reading.ok) {
    const reporter = createReporter({
      ...(file === undefined ? {} : { file }),
      readSpan: () => spanAt(reading.offset, reading.length),
    });
    const { why, hint } = reading;
    reporter.report('syntax-error', { pointer: toPointer([]), part: 'value' }, { why, suggestion: hint });
    return { reporter };
  }
  const { root } = reading;
  const used =
    schemaMember && root.kind === 'object'
      ? { ...root, members: root.members.filter((member) => !isSchemaMember(member)) }
      : root;
  const document = configDocument({ text, spanAt, file }, used);
  const reporter = createReporter(document, { stops });
  reportDuplicateKeys(used, reporter, spanAt);
  return { document, reporter };
};
