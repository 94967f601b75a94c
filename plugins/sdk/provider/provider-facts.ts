import type { JsonObject } from '../../../schema/json/json.ts';
import type { Provider } from './provider.ts';
import { toCredentialFields } from './to-credential-fields.ts';

/** Where requests go without `custom_host`; null where each target names it. */
const address = ({ baseUrl, inProcess }: Provider): string | null => {
  if (inProcess !== undefined) return 'in process';
  if (baseUrl === undefined) return null;
  return typeof baseUrl === 'string' ? baseUrl : 'from its settings';
};

/**
 * The facts that a row states about a service, for people and programs. `operations` are the dialects that it speaks itself, the first one first,
 * to which others are translated; every other path is passed through. `drop` is null where it depends on settings.
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
