import type { Credential } from '../../../plugins/sdk/provider/provider.ts';

/** Shorter secrets occur in texts by chance. */
const shortest = 8;
const asterisk = 0x2a;

const toForms = (secret: string): readonly string[] => [
  ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
];

/** Hides a credential in an upstream's texts. Hidden parts keep their length. */
export interface HiddenCredential {
  /** Returns the same bytes if they contain nothing to hide. */
  bytes(bytes: Uint8Array): Uint8Array;
  text(text: string): string;
  /** Returns how many bytes at the end may be the beginning of a secret. */
  begun(bytes: Uint8Array): number;
}

const hides = (secrets: readonly string[]): HiddenCredential => {
  // The longest first, because it may contain another one.
  const texts = secrets.flatMap(toForms).sort((a, b) => b.length - a.length);
  const forms = texts.map((text) => Buffer.from(text));
  return {
    bytes(bytes) {
      const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      let hidden: Buffer | undefined;
      for (const form of forms)
        for (let at = source.indexOf(form); at !== -1; at = source.indexOf(form, at + form.length)) {
          hidden ??= Buffer.from(source);
          hidden.fill(asterisk, at, at + form.length);
        }
      return hidden ?? bytes;
    },
    text: (text) => texts.reduce((hidden, form) => hidden.replaceAll(form, '*'.repeat(form.length)), text),
    begun(bytes) {
      const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const longest = Math.min(end.length, (forms[0]?.length ?? 1) - 1);
      for (let length = longest; length > 0; length -= 1) {
        const last = end.subarray(end.length - length);
        if (forms.some((form) => form.length > length && form.subarray(0, length).equals(last))) return length;
      }
      return 0;
    },
  };
};

const known = new WeakMap<Credential, HiddenCredential | null>();

/** Returns what removes a credential from texts, or null if the credential contains nothing to hide. */
export const hiddenCredential = (credential: Credential): HiddenCredential | null => {
  const before = known.get(credential);
  if (before !== undefined) return before;
  const secrets = Object.values(credential).filter(
    (secret): secret is string => secret !== undefined && secret.length >= shortest,
  );
  const made = secrets.length === 0 ? null : hides(secrets);
  known.set(credential, made);
  return made;
};

/** The secrets of a call. */
interface SentWith {
  readonly target: { readonly secrets: Credential };
  /** The token that its provider fetched for the credential. Absent if it fetches none. */
  readonly token?: string | undefined;
}

/** Keeps the joined object the same for as long as the token is sent, because searchers remember the secrets by object identity. */
const joined = new WeakMap<Credential, { readonly token: string; readonly secrets: Credential }>();

/**
 * Returns all secrets that a call was sent with: those of its target, and a token fetched with them. No answer may contain any.
 */
export const calledWith = ({ target: { secrets }, token }: SentWith): Credential => {
  if (token === undefined) return secrets;
  const known = joined.get(secrets);
  if (known?.token === token) return known.secrets;
  const made = { token, secrets: { ...secrets, 'the token': token } };
  joined.set(secrets, made);
  return made.secrets;
};
