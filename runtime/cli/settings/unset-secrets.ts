import { type Saved, savedSecrets } from '../../../schema/config/saved.ts';
import { isSecretRef, type SecretReader } from './secret-reader.ts';

const lack = (ref: string): string =>
  ref.startsWith('${file:') ? 'missing, empty or not readable. Write it' : 'not set. Set it, and start again';

/** The references of saved providers and virtual keys that have no value, each after the one that has it. */
const toUnset = (
  { providers, virtualKeys }: Saved,
  read: SecretReader,
): readonly { readonly place: string; readonly ref: string }[] =>
  Object.entries({ providers, virtual_keys: virtualKeys }).flatMap(([member, saved]) =>
    Object.entries(saved).flatMap(([name, provider]) =>
      savedSecrets(provider)
        .filter((ref) => isSecretRef(ref) && read(ref) === undefined)
        .map((ref) => ({ place: `"${name}" of "${member}"`, ref })),
    ),
  );

/** References of saved providers and virtual keys that have no value, and what to do, in two sentences each. Those that no config names are resolved on use. */
export const unsetSecrets = (saved: Saved, read: SecretReader): readonly string[] =>
  toUnset(saved, read).map(
    ({ place, ref }) =>
      `${place} refers to ${ref}, which is ${lack(ref)}: requests that name it are refused until then.`,
  );

/** Where the gateway file has those references: configs that cannot be served for them have none of their own. */
export const unsetPlaces = (saved: Saved, read: SecretReader): readonly string[] =>
  toUnset(saved, read).map(({ place, ref }) => `${ref} is in ${place} of the gateway file.`);
