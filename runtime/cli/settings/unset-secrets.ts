import { type Saved, type SavedProvider, savedSecrets } from '../../../schema/config/saved.ts';
import { isSecretRef, type SecretReader } from './secret-reader.ts';

const lack = (ref: string): string =>
  ref.startsWith('${file:') ? 'missing, empty or not readable. Write it' : 'not set. Set it, and start again';

const toMissing = (saved: Saved['providers'], member: string, read: SecretReader): readonly string[] =>
  Object.entries(saved).flatMap(([name, provider]: readonly [string, SavedProvider]) =>
    savedSecrets(provider)
      .filter((ref) => isSecretRef(ref) && read(ref) === undefined)
      .map(
        (ref) =>
          `"${name}" of "${member}" refers to ${ref}, which is ${lack(ref)}: requests that name it are refused until then.`,
      ),
  );

/** References of saved providers and virtual keys that have no value, and what to do, in two sentences each. Those that no config names are resolved on use. */
export const unsetSecrets = ({ providers, virtualKeys }: Saved, read: SecretReader): readonly string[] => [
  ...toMissing(providers, 'providers', read),
  ...toMissing(virtualKeys, 'virtual_keys', read),
];
