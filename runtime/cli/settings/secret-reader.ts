import type { SecretRef } from '../../../schema/plan/plan.ts';
import { readRegularFileSync } from '../../watched-files/read-regular-file.ts';

/** Returns the value of a reference, or `undefined` if it is missing. */
export type SecretReader = (ref: SecretRef) => string | undefined;

/** Longer than any secret. */
const maxSecretBytes = 1024 * 1024;

/** A secret, or why there is none: the error of reading its file, unless the file does not exist. */
export interface ReadSecret {
  readonly value: string | undefined;
  readonly error?: unknown;
}

const readFile = (path: string): ReadSecret => {
  try {
    // Most tools that write secret files end them with a line break, which is not part of the secret.
    const text = readRegularFileSync(path, maxSecretBytes)
      .toString('utf8')
      .replace(/\r?\n$/, '');
    return { value: text === '' ? undefined : text };
  } catch (error) {
    return { value: undefined, error };
  }
};

const referred = /^\$\{(env|file):([^}]+)\}$/;

export const isSecretRef = (text: string): text is SecretRef => referred.test(text);

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads `${env:NAME}` from the environment and `${file:/path}` from the disk. An empty value counts as missing. */
export const readSecret = (env: Variables, ref: SecretRef): ReadSecret => {
  const [, kind, name = ''] = referred.exec(ref) ?? [];
  return kind === 'env' ? { value: env[name] || undefined } : readFile(name);
};

/** Returns a reader that reads references on every call. */
export const secretReader =
  (env: Variables): SecretReader =>
  (ref) =>
    readSecret(env, ref).value;

/** Reads secrets. Those in files keep the last value that they had. */
export class HeldSecrets {
  readonly #env: Variables;
  readonly #onFile: () => void;
  /** By path. Undefined while a file has had no value. */
  readonly #files = new Map<string, string | undefined>();
  #version = 0;

  /** @param onFile called when a file is read for the first time */
  constructor(env: Variables, onFile: () => void) {
    this.#env = env;
    this.#onFile = onFile;
  }

  /** Returns a number that changes whenever the value of a file changes. */
  readonly version = (): number => this.#version;

  readonly read: SecretReader = (ref) => {
    const [, kind, path = ''] = referred.exec(ref) ?? [];
    if (kind !== 'file') return readSecret(this.#env, ref).value;
    const held = this.#files.get(path);
    if (held !== undefined) return held;
    const { value } = readFile(path);
    const isNew = !this.#files.has(path);
    this.#files.set(path, value);
    if (isNew) this.#onFile();
    return value;
  };

  /** Returns the files that were read. */
  files(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** Reads a file again. If it has no value, the previous one is kept. `hadNone`: nothing could be served with it before. */
  readAgain(path: string): ReadSecret & { readonly isChanged: boolean; readonly hadNone: boolean } {
    const held = this.#files.get(path);
    const found = readFile(path);
    const isChanged = found.value !== undefined && found.value !== held;
    if (isChanged) {
      this.#files.set(path, found.value);
      this.#version += 1;
    }
    return { ...found, isChanged, hadNone: held === undefined };
  }
}
