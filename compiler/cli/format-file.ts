import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import { formatText } from '../format/format-text.ts';
import { parseConfig } from '../parse/parse-config.ts';
import { fileFormat } from '../parse/read-tree.ts';

/** The result for the text of a file. */
export type FormattedFile =
  /** It is formatted already. */
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly text: string }
  /** It cannot be read as JSON or YAML. */
  | { readonly kind: 'broken'; readonly diagnostics: readonly Diagnostic[] }
  /** It cannot be formatted without changing more than white space. */
  | { readonly kind: 'left' };

/** Formats the text of a file. The name of the file determines the format. */
export const formatFile = async (text: string, file: string): Promise<FormattedFile> => {
  const { document, reporter } = parseConfig(text, { file, isFile: true });
  if (document === undefined) return { kind: 'broken', diagnostics: reporter.diagnostics() };
  const formatted = await formatText(text, fileFormat(file));
  if (formatted === undefined) return { kind: 'left' };
  return formatted === text ? { kind: 'same' } : { kind: 'changed', text: formatted };
};
