import { gatewayError } from '../../../schema/errors.ts';

/** One field of a form: its bytes are read once, before the next part is asked for. */
export interface FormPart {
  readonly name: string;
  /** The last segment of what the client calls the file; absent for a field that is none. */
  readonly filename?: string;
  readonly bytes: AsyncIterable<Buffer>;
}

/** The `GatewayError` `malformed-upload`; the reason is a sentence that begins in lower case. */
export const malformed = (reason: string): Error => gatewayError('malformed-upload', { reason });

const parameter = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g;

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

/** The name, and the file name, that the header lines of a part say. Throws a `malformed-upload`. */
export const readPartHead = (head: string): Omit<FormPart, 'bytes'> => {
  const line = head.split('\r\n').find((each) => /^content-disposition\s*:/i.test(each)) ?? '';
  if (!/:\s*form-data\s*(?:;|$)/i.test(line))
    throw malformed('a part of it has no header content-disposition of the type form-data.');
  const given = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of line.matchAll(parameter))
    given.set(name.toLowerCase(), quoted === undefined ? plain : unescaped(quoted));
  const name = given.get('name');
  if (name === undefined) throw malformed('a part of it has no name.');
  const filename = extended(given.get('filename*') ?? '') ?? given.get('filename');
  return filename === undefined ? { name } : { name, filename: lastSegment(filename) };
};
