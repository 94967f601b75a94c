import type { SecretRef } from '../../../schema/plan/plan.ts';
import { readRegularFileSync } from '../../files/read-regular-file.ts';

/** The value of a reference; `undefined` if it is missing. */
export type SecretReader = (ref: SecretRef) => string | undefined;

/** Longer than any secret. */
const maxSecretBytes = 1024 * 1024;

/** A secret, or why there is none: the error of reading its file, if it is not that nothing is there. */
export interface ReadSecret {
  readonly value: string | undefined;
  readonly error?: unknown;
}

const readFile = (path: string): ReadSecret => {
  try {
    // Tools that write secret files mostly end them with a line break, which is not part of the secret.
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

/** Reads `${env:NAME}` from the environment and `${file:/path}` from the disk. What is empty is missing. */
export const readSecret = (env: Variables, ref: SecretRef): ReadSecret => {
  const [, kind, name = ''] = referred.exec(ref) ?? [];
  return kind === 'env' ? { value: env[name] || undefined } : readFile(name);
};

/** Reads references each time it is asked. */
export const secretReader =
  (env: Variables): SecretReader =>
  (ref) =>
    readSecret(env, ref).value;
