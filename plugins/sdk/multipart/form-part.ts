import { gatewayError } from '../../../schema/errors/errors.ts';

/** One field of a form: its bytes are read once, before the next part is asked for. */
export interface FormPart {
  readonly name: string;
  /** Where it stands in the form: from the end of the boundary before it to the line end before the next one, in bytes. */
  readonly place: { readonly from: number; readonly to: number };
  /** The last segment of what the client calls the file; absent for a field that is none. */
  readonly filename?: string;
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
  const filename = extended(given.get('filename*') ?? '') ?? given.get('filename');
  return filename === undefined ? { name } : { name, filename: lastSegment(filename) };
};
