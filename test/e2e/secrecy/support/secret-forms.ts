/** A secret in one of the forms in which it may be written. */
export interface SecretForm {
  readonly form: string;
  readonly bytes: Buffer;
}

/** A shorter sequence could occur by chance. */
const leastLength = 12;

/**
 * Returns the base64 of bytes that follow `before` other bytes: only the characters that do not depend on neighbouring bytes.
 */
const readBase64 = (secret: Buffer, before: number): string => {
  const text = Buffer.concat([Buffer.alloc(before), secret])
    .toString('base64')
    .replaceAll('=', '');
  const first = Math.ceil((before * 8) / 6);
  const whole = Math.floor(((before + secret.length) * 8) / 6);
  return text.slice(first, whole);
};

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

const unicodeEscaped = (text: string): string =>
  text.replaceAll(/./gs, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

const percentEncoded = (secret: Buffer): string =>
  [...secret].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const textForms = (text: string): Readonly<Record<string, string>> => ({
  plain: text,
  'in JSON': escaped(text),
  'in JSON in JSON': escaped(escaped(text)),
  'in JSON with escapes of Unicode': unicodeEscaped(text),
  'in a URL': encodeURIComponent(text),
  'in a form': new URLSearchParams({ x: text }).toString().slice(2),
  'in HTML': text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  'in SQL': text.replaceAll("'", "''"),
});

const byteForms = (secret: Buffer): Readonly<Record<string, string>> => ({
  hex: secret.toString('hex'),
  'upper-case hex': secret.toString('hex').toUpperCase(),
  'in a URL, each byte': percentEncoded(secret),
  'in a URL, each byte in upper case': percentEncoded(secret).toUpperCase(),
  ...Object.fromEntries(
    [0, 1, 2].flatMap((before) => [
      [`base64 after ${before}`, readBase64(secret, before)],
      [`base64url after ${before}`, readBase64(secret, before).replaceAll('+', '-').replaceAll('/', '_')],
    ]),
  ),
});

/** Returns all forms of a secret, without duplicates. Bytes that are no text have no text forms. */
export const toForms = (secret: string | Buffer): readonly SecretForm[] => {
  const bytes = Buffer.from(secret);
  const texts = { ...(typeof secret === 'string' ? textForms(secret) : {}), ...byteForms(bytes) };
  const known = new Map<string, SecretForm>();
  const add = (form: string, written: Buffer): void => {
    const id = written.toString('latin1');
    if (written.length >= leastLength && !known.has(id)) known.set(id, { form, bytes: written });
  };
  for (const [form, text] of Object.entries(texts)) add(form, Buffer.from(text));
  if (typeof secret === 'string') {
    const wide = Buffer.from(secret, 'utf16le');
    add('UTF-16', wide);
    add('UTF-16, big end first', Buffer.from(wide).swap16());
  } else add('bytes', bytes);
  return [...known.values()];
};
