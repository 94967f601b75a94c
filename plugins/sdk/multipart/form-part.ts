import { gatewayError } from '../../../schema/errors/errors.ts';
import { charsetsOf } from './charsets-of.ts';

/** One field of a form. Its bytes can be read once, before the next part is requested. */
export interface FormPart {
  readonly name: string;
  /** Its place in the form, in bytes: from the end of the preceding boundary to the line break before the next one. */
  readonly place: { readonly from: number; readonly to: number };
  /** The last segment of the client's file name. Absent for a field that is not a file. */
  readonly filename?: string;
  /** Set for a field whose charset shares only the ASCII characters with UTF-8. It may have no others. */
  readonly isAscii?: true;
  readonly bytes: AsyncIterable<Buffer>;
}

/** Creates the `GatewayError` `malformed-upload`. The reason is a sentence that starts in lower case. */
export const malformed = (reason: string): Error => gatewayError('malformed-upload', { reason });

const parameter = /\s*;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/gy;

const disposition = /^content-disposition\s*:\s*/i;
const formData = /^form-data(?=\s*(?:;|$))/i;

/** Decodes characters that browsers escape in a quoted text: https://html.spec.whatwg.org/#multipart-form-data. */
const unescaped = (text: string): string =>
  text
    .replace(/\\(["\\])/g, '$1')
    .replace(/%(22|0d|0a)/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

/** Decodes a value with a charset, `UTF-8''na%C3%AFve.txt` (RFC 8187). Returns undefined if it is not UTF-8. */
const extended = (text: string): string | undefined => {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(text) ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
};

const lastSegment = (name: string): string => name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);

/** Returns the header line that names a part. No other parser may find a different one, or end its lines elsewhere. */
const toDisposition = (head: string): string => {
  const lines = head.split('\r\n');
  if (lines.some((each) => /^[\t ]+\S|[\r\n]/.test(each)))
    throw malformed('one of its parts has header lines that are folded, or that do not end with CR and LF.');
  const [line = '', ...others] = lines.filter((each) => disposition.test(each));
  if (others.length > 0) throw malformed('one of its parts has several content-disposition headers.');
  return line.replace(disposition, '');
};

const unclear = (): Error =>
  malformed('one of its parts has a content-disposition header that parsers interpret differently.');

/** Whether some parsers take a backslash in a quoted text literally, and would find other parameters or another name. */
const isDoubtful = (name: string, quoted: string): boolean =>
  name === 'name' ? /\\[^"\\]/.test(quoted) : quoted.includes('\\"') && quoted.includes('=');

/** Encodings that leave the bytes of a part unchanged (RFC 7578 §4.7). Some parsers decode all others. */
const plainEncodings: ReadonlySet<string> = new Set(['', '7bit', '8bit', 'binary']);

/** Charsets in which all parsers decode ASCII bytes alike and, below, the names of UTF-8. */
const latinCharsets: ReadonlySet<string> = new Set(['iso-8859-1', 'latin1', 'windows-1252', 'us-ascii', 'ascii']);
const utf8: ReadonlySet<string> = new Set(['', 'utf-8', 'utf8']);

/**
 * Returns the value of a header of a part, in lower case, or an empty text if there is none. Throws a `malformed-upload` if there
 * are several.
 */
const headerOf = (head: string, name: string): string => {
  const values = head.split('\r\n').flatMap((line) => {
    const [, given = '', value = ''] = /^([^:]*):(.*)$/s.exec(line) ?? [];
    return given.trim().toLowerCase() === name ? [value.trim().toLowerCase()] : [];
  });
  if (values.length > 1) throw malformed(`one of its parts has several ${name} headers.`);
  return values[0] ?? '';
};

const refuseEncoding = (head: string): void => {
  if (!plainEncodings.has(headerOf(head, 'content-transfer-encoding')))
    throw malformed('one of its parts is encoded, and not all parsers decode it. Send the bytes unencoded.');
};

/**
 * Whether all parsers agree on the text of a field only if it is ASCII. Throws a `malformed-upload` for charsets in which they
 * never do.
 */
const isAsciiOnly = (head: string): boolean => {
  const charsets = charsetsOf(headerOf(head, 'content-type'));
  const [charset = ''] = charsets;
  if (charsets.length < 2 && utf8.has(charset)) return false;
  if (charsets.length < 2 && latinCharsets.has(charset)) return true;
  throw malformed('one of its fields is not encoded in UTF-8.');
};

/** Reads the name and the file name from the header lines of a part. Throws a `malformed-upload`. */
export const readPartHead = (head: string): Omit<FormPart, 'bytes' | 'place'> => {
  const line = toDisposition(head);
  if (!formData.test(line))
    throw malformed('one of its parts has no content-disposition header of the type form-data.');
  const parameters = line.replace(formData, '');
  const given = new Map<string, string>();
  let length = 0;
  for (const [all, spelt = '', quoted, plain = ''] of parameters.matchAll(parameter)) {
    const parameterName = spelt.toLowerCase();
    length += all.length;
    if (given.has(parameterName))
      throw malformed(`one of its parts specifies its ${parameterName.slice(0, 100)} twice.`);
    if (isDoubtful(parameterName, quoted ?? '')) throw unclear();
    given.set(parameterName, quoted === undefined ? plain.trim() : unescaped(quoted));
  }
  if (!['', ';'].includes(parameters.slice(length).trim())) throw unclear();
  const name = given.get('name');
  if (name === undefined || given.has('name*')) throw malformed('one of its parts has no name.');
  refuseEncoding(head);
  // This field sets the charset of all fields (RFC 7578 §4.6).
  if (name.toLowerCase() === '_charset_') throw malformed(`its fields must be in UTF-8. Omit "${name}".`);
  const filename = extended(given.get('filename*') ?? '') ?? given.get('filename');
  if (filename !== undefined) return { name, filename: lastSegment(filename) };
  return isAsciiOnly(head) ? { name, isAscii: true } : { name };
};
