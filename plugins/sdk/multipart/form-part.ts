import { gatewayError } from '../../../schema/errors/errors.ts';
import { charsetsOf } from './charsets-of.ts';

/** One field of a form: its bytes are read once, before the next part is asked for. */
export interface FormPart {
  readonly name: string;
  /** Where it stands in the form: from the end of the boundary before it to the line end before the next one, in bytes. */
  readonly place: { readonly from: number; readonly to: number };
  /** The last segment of what the client calls the file; absent for a field that is none. */
  readonly filename?: string;
  /** Of a field whose charset has only the characters of ASCII in common with UTF-8: it may have no others. */
  readonly isAscii?: true;
  readonly bytes: AsyncIterable<Buffer>;
}

/** The `GatewayError` `malformed-upload`; the reason is a sentence that begins in lower case. */
export const malformed = (reason: string): Error => gatewayError('malformed-upload', { reason });

const parameter = /\s*;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/gy;

const disposition = /^content-disposition\s*:\s*/i;
const formData = /^form-data(?=\s*(?:;|$))/i;

/** As browsers write what a quoted text cannot have: https://html.spec.whatwg.org/#multipart-form-data. */
const unescaped = (text: string): string =>
  text
    .replace(/\\(["\\])/g, '$1')
    .replace(/%(22|0d|0a)/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

/** A value with a charset, `UTF-8''na%C3%AFve.txt` (RFC 8187); undefined if it is none of UTF-8. */
const extended = (text: string): string | undefined => {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(text) ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
};

const lastSegment = (name: string): string => name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);

/** The header line that names a part. Another reader must not find another one, or end its lines elsewhere. */
const toDisposition = (head: string): string => {
  const lines = head.split('\r\n');
  if (lines.some((each) => /^[\t ]+\S|[\r\n]/.test(each)))
    throw malformed('a part of it has header lines that are folded, or that do not end with CR and LF.');
  const [line = '', ...others] = lines.filter((each) => disposition.test(each));
  if (others.length > 0) throw malformed('a part of it has several headers content-disposition.');
  return line.replace(disposition, '');
};

const unclear = (): Error => malformed('a part of it has a header content-disposition that readers take differently.');

/** Whether some readers take a backslash in a quoted text for itself, and then find other parameters, or another name. */
const isDoubtful = (name: string, quoted: string): boolean =>
  name === 'name' ? /\\[^"\\]/.test(quoted) : quoted.includes('\\"') && quoted.includes('=');

/** Encodings that leave the bytes of a part as they are (RFC 7578 §4.7): some readers decode all others. */
const plainEncodings: ReadonlySet<string> = new Set(['', '7bit', '8bit', 'binary']);

/** Charsets in which all readers take bytes of ASCII for the same, and those that are UTF-8 besides. */
const latinCharsets: ReadonlySet<string> = new Set(['iso-8859-1', 'latin1', 'windows-1252', 'us-ascii', 'ascii']);
const utf8: ReadonlySet<string> = new Set(['', 'utf-8', 'utf8']);

/** The value of a header of a part, in lower case; empty where it has none. Throws a `malformed-upload` if it has several. */
const headerOf = (head: string, name: string): string => {
  const values = head.split('\r\n').flatMap((line) => {
    const [, given = '', value = ''] = /^([^:]*):(.*)$/s.exec(line) ?? [];
    return given.trim().toLowerCase() === name ? [value.trim().toLowerCase()] : [];
  });
  if (values.length > 1) throw malformed(`a part of it has several headers ${name}.`);
  return values[0] ?? '';
};

const refuseEncoding = (head: string): void => {
  if (!plainEncodings.has(headerOf(head, 'content-transfer-encoding')))
    throw malformed('a part of it has an encoding, which not all readers remove. Send its bytes as they are.');
};

/** Whether the text of a field is the same for all readers only if it is ASCII. Throws a `malformed-upload` for other charsets than UTF-8. */
const isAsciiOnly = (head: string): boolean => {
  const charsets = charsetsOf(headerOf(head, 'content-type'));
  const [charset = ''] = charsets;
  if (charsets.length < 2 && utf8.has(charset)) return false;
  if (charsets.length < 2 && latinCharsets.has(charset)) return true;
  throw malformed('a field of it is not written in UTF-8.');
};

/** The name, and the file name, that the header lines of a part say. Throws a `malformed-upload`. */
export const readPartHead = (head: string): Omit<FormPart, 'bytes' | 'place'> => {
  const line = toDisposition(head);
  if (!formData.test(line)) throw malformed('a part of it has no header content-disposition of the type form-data.');
  const parameters = line.replace(formData, '');
  const given = new Map<string, string>();
  let length = 0;
  for (const [all, spelt = '', quoted, plain = ''] of parameters.matchAll(parameter)) {
    const parameterName = spelt.toLowerCase();
    length += all.length;
    if (given.has(parameterName)) throw malformed(`a part of it says its ${parameterName.slice(0, 100)} twice.`);
    if (isDoubtful(parameterName, quoted ?? '')) throw unclear();
    given.set(parameterName, quoted === undefined ? plain.trim() : unescaped(quoted));
  }
  if (!['', ';'].includes(parameters.slice(length).trim())) throw unclear();
  const name = given.get('name');
  if (name === undefined || given.has('name*')) throw malformed('a part of it has no name.');
  refuseEncoding(head);
  // It says the charset of all fields (RFC 7578 §4.6).
  if (name.toLowerCase() === '_charset_') throw malformed(`its fields are written in UTF-8. Leave "${name}" out.`);
  const filename = extended(given.get('filename*') ?? '') ?? given.get('filename');
  if (filename !== undefined) return { name, filename: lastSegment(filename) };
  return isAsciiOnly(head) ? { name, isAscii: true } : { name };
};
