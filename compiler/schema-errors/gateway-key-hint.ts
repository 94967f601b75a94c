import { credentialFields, settingFields } from '../../schema/config/provider-fields.ts';
import { configKeys } from '../../schema/generated/config-keys.ts';
import { gatewayFileKeys } from '../../schema/generated/gateway-file-keys.ts';
import { isJsonObject } from '../../schema/json/json.ts';
import { childPointer } from '../../schema/json/pointer.ts';
import { sameSpelling } from '../diagnostics/spelling.ts';
import { plainKeyHint } from './key-hint.ts';
import { importHint } from './special-key-hint.ts';
import type { KeyHint, UnknownKey } from './unknown-key.ts';

/** The members of the gateway file that are objects with keys of their own. */
const parts = ['/listen', '/auth', '/limits', '/log'] as const;

const inside = (part: string, key: string): KeyHint => ({
  suggestion: `Move it into "${part}": "${part}": { "${key}": … }.`,
});

const ofSaved = ({ key }: UnknownKey): KeyHint | undefined => {
  const secret = sameSpelling(key, credentialFields);
  if (secret !== undefined) return inside('credential', secret);
  const setting = sameSpelling(key, [...settingFields, 'custom_host']);
  return setting === undefined ? undefined : inside('settings', setting);
};

/**
 * Members of configs that name one thing are strings. An object under such a name describes several, as the gateway file does.
 */
const asPlural = ({ key, value, keys, pointer }: UnknownKey): KeyHint | undefined => {
  const plural = isJsonObject(value) ? sameSpelling(`${key}s`, keys) : undefined;
  return plural === undefined
    ? undefined
    : { suggestion: `Did you mean "${plural}"?`, meant: childPointer(pointer, plural) };
};

const ofRoot = ({ key }: UnknownKey): KeyHint | undefined => {
  for (const part of parts) {
    const inner = sameSpelling(key, gatewayFileKeys[part] ?? []);
    if (inner !== undefined) return inside(part.slice(1), inner);
  }
  const member = sameSpelling(key, configKeys[''] ?? []);
  return member === undefined
    ? undefined
    : { suggestion: `Move "${member}" into a config, a file of the folder that "configs" names.` };
};

/** Returns the hint for a key that is not allowed in the gateway file. */
export const gatewayKeyHint = (unknown: UnknownKey): KeyHint => {
  const isSaved = /^\/(?:providers|virtual_keys)\/\*$/.test(unknown.schemaPath);
  const found = isSaved
    ? ofSaved(unknown)
    : unknown.schemaPath === ''
      ? (importHint(unknown) ?? asPlural(unknown) ?? ofRoot(unknown))
      : undefined;
  return found ?? plainKeyHint(unknown);
};
