import { formatOf } from '../../schema/config/file-names.ts';

/**
 * The value of a file, as far as it can be read: for those who need one member of it, and leave it to others to say what is
 * wrong with the rest. Undefined where nothing can be read.
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
