import { createHash } from 'node:crypto';
import { type JsonObject, writtenText } from '../../../schema/json/json.ts';

/** Escapes characters that a quoted text cannot contain, as browsers do: https://html.spec.whatwg.org/#multipart-form-data. */
const quoted = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/**
 * Writes a form (RFC 7578) whose fields are the members of an object: texts, numbers and booleans as they are, everything else as
 * JSON. The same members give the same bytes, so that such requests can be compared. The boundary is a digest of the members, so
 * none of them can contain it.
 */
export const writeForm = (fields: JsonObject): { readonly contentType: string; readonly bytes: Buffer } => {
  const boundary = `form-${createHash('sha256').update(JSON.stringify(fields)).digest('hex')}`;
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${writtenText(value)}\r\n`,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
  };
};
