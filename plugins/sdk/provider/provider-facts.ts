import type { JsonObject } from '../../../schema/json/json.ts';
import type { Provider } from './provider.ts';
import { toCredentialFields } from './to-credential-fields.ts';

/** The address of requests without `custom_host`. Null if each target has to specify it. */
const address = ({ baseUrl, inProcess }: Provider): string | null => {
  if (inProcess !== undefined) return 'in process';
  if (baseUrl === undefined) return null;
  return typeof baseUrl === 'string' ? baseUrl : 'from its settings';
};

/**
 * Returns the facts that a provider's description states about the service, for people and programs. `operations` lists the
 * dialects that it speaks itself; others are translated to the first one, and every other path is passed through. `drop` is null
 * if it depends on settings.
 */
export const providerFacts = (provider: Provider): JsonObject => ({
  id: provider.id,
  aliases: [...(provider.aliases ?? [])],
  documentation: provider.documentation ?? null,
  address: address(provider),
  credential: provider.credential,
  credential_fields: [...toCredentialFields(provider)],
  settings: [...(provider.settings ?? []), ...Object.keys(provider.ownSettings?.properties ?? {})],
  operations: Object.keys(provider.speaks),
  models: [...(provider.models ?? [])],
  drop: typeof provider.drop === 'function' ? null : [...(provider.drop ?? [])],
  lacks: Object.fromEntries(Object.entries(provider.lacks ?? {}).map(([dialect, kinds]) => [dialect, [...kinds]])),
  closed: provider.closed ?? null,
  unconfirmed: [...(provider.unconfirmed ?? [])],
});
