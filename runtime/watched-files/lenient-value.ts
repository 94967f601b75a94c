import { formatOf } from '../../schema/config/file-names.ts';

/**
 * Returns the value of a file, as far as it can be read, for callers that need one member of it and leave it to others to report
 * what is wrong with the rest. Undefined if nothing can be read.
 */
export const lenientValue = async (text: string, file: string): Promise<unknown> => {
  if (formatOf(file) !== 'yaml') return (await import('jsonc-parser')).parse(text);
  const { parseDocument } = await import('yaml');
  try {
    return parseDocument(text, { merge: true, logLevel: 'silent', uniqueKeys: false }).toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
};
