import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import { plainKeyHint } from './key-hint.ts';
import type { KeyHint, UnknownKey } from './unknown-key.ts';

/** The hint for a setting that a saved provider does not read; its secrets stand beside the settings. */
export const savedKeyHint =
  ({ credentialFields = ['api_key'] }: Provider) =>
  (unknown: UnknownKey): KeyHint =>
    credentialFields.includes(unknown.key)
      ? { suggestion: `Move it into "credential": "credential": { "${unknown.key}": "\${env:…}" }.` }
      : plainKeyHint(unknown);
