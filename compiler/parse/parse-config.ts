import type { Fix } from '../../schema/errors/fix.ts';
import { toPointer } from '../../schema/json/pointer.ts';
import { createReporter, type Reporter, type ReporterOptions } from '../diagnostics/reporter.ts';
import { type ConfigDocument, configDocument } from './config-document.ts';
import { reportDuplicateKeys } from './duplicate-keys.ts';
import { fileFormat, readTree } from './read-tree.ts';
import type { SyntaxMember } from './syntax-tree.ts';
import { toSpans } from './to-spans.ts';

export interface ParseOptions extends ReporterOptions {
  readonly file?: string | undefined;
  /**
   * Whether it is a file of an operator: its name determines its format, and a `$schema` member of the root, which is for
   * editors, is removed from the value. Any other text is JSON without comments.
   */
  readonly isFile: boolean;
}

/**
 * The document, and the reporter of its findings. If the text cannot be read, there is no document, and the reason is reported.
 */
export interface Parsed {
  readonly document?: ConfigDocument;
  readonly reporter: Reporter;
}

const isSchemaMember = ({ name, value }: SyntaxMember): boolean =>
  name === '$schema' && value.kind === 'literal' && typeof value.value === 'string';

export const parseConfig = (text: string, { file, isFile, stops = false }: ParseOptions): Parsed => {
  const format = isFile ? fileFormat(file) : 'json';
  const reading = readTree(text, format);
  const spanAt = toSpans(text);
  if (!reading.ok) {
    // If something is missing at the end, the error is shown after the last text, not on an empty line below it.
    const end = text.trimEnd().length;
    const reporter = createReporter(
      {
        ...(file === undefined ? {} : { file }),
        readSpan: () => (reading.offset > end ? spanAt(end, 0) : spanAt(reading.offset, reading.length)),
      },
      { fixes: isFile },
    );
    const { why, hint, mend, offset } = reading;
    const fix: Fix | undefined = mend === undefined ? undefined : { kind: 'safe', edits: [{ kind: mend, offset }] };
    reporter.report(
      'syntax-error',
      { pointer: toPointer([]), part: 'value', fix },
      { format: format === 'yaml' ? 'YAML' : 'JSON', why, suggestion: hint },
    );
    return { reporter };
  }
  const { root } = reading;
  const used =
    isFile && root.kind === 'object'
      ? { ...root, members: root.members.filter((member) => !isSchemaMember(member)) }
      : root;
  const document = configDocument({ text, spanAt, file }, used);
  const reporter = createReporter(document, { stops, fixes: isFile });
  reportDuplicateKeys(used, reporter, spanAt);
  return { document, reporter };
};
