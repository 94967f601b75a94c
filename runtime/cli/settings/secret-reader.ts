import type { SecretRef } from '../../../schema/plan/plan.ts';
import { readRegularFileSync } from '../../files/read-regular-file.ts';

/** The value of a reference; `undefined` if it is missing. */
export type SecretReader = (ref: SecretRef) => string | undefined;

/** Longer than any secret. */
const maxSecretBytes = 1024 * 1024;

const fileText = (path: string): string | undefined => {
  try {
    // Tools that write secret files mostly end them with a line break, which is not part of the secret.
    return readRegularFileSync(path, maxSecretBytes)
      .toString('utf8')
      .replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
};

const referred = /^\$\{(env|file):([^}]+)\}$/;

export const isSecretRef = (text: string): text is SecretRef => referred.test(text);

/** Reads `${env:NAME}` from the environment and `${file:/path}` from the disk, each time it is asked. */
export const secretReader =
  (env: Readonly<Record<string, string | undefined>>): SecretReader =>
  (ref) => {
    const [, kind, name = ''] = referred.exec(ref) ?? [];
    const value = kind === 'env' ? env[name] : fileText(name);
    return value === '' ? undefined : value;
  };
