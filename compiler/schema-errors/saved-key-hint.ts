import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import { childPointer } from '../../schema/json/pointer.ts';
import { spelling } from '../diagnostics/spelling.ts';
import { byEnding, plainKeyHint } from './key-hint.ts';
import type { KeyHint, UnknownKey } from './unknown-key.ts';

const shortest = 5;

/** Suggests the longest key that is the end of the written one: `azure_resource_name` means `resource_name`. */
const withFirstWord = ({ key, keys, pointer }: UnknownKey): KeyHint | undefined => {
  const [found] = keys
    .filter((known) => known.length >= shortest && spelling(key).endsWith(spelling(known)))
    .toSorted((one, other) => other.length - one.length);
  return found === undefined
    ? undefined
    : { suggestion: `Did you mean "${found}"?`, meant: childPointer(pointer, found) };
};

/** Returns the hint for a setting that a saved provider does not read. Its secrets belong beside the settings. */
export const savedKeyHint =
  ({ credentialFields = ['api_key'] }: Provider) =>
  (unknown: UnknownKey): KeyHint =>
    credentialFields.includes(unknown.key)
      ? { suggestion: `Move it into "credential": "credential": { "${unknown.key}": "\${env:…}" }.` }
      : (withFirstWord(unknown) ?? byEnding(unknown) ?? plainKeyHint(unknown));
