import type { SavedProvider } from '../../../../schema/config/saved.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { savedRef } from '../../kernel/records/saved-parts.ts';
import { type CredentialOwner, sealedAt } from '../destinations/stored-credential.ts';
import { allowedModels, type IntegrationModels, savedPrices } from '../integrations/integration-models.ts';

/** A provider that was read, without its secrets. */
export interface ReadProvider {
  readonly provider: string;
  readonly settings: JsonObject;
  /** The record that its credential belongs to, and the fields of that. */
  readonly owner: CredentialOwner;
  readonly fields: readonly string[];
  /** The models of its integration; absent without one. */
  readonly listed?: IntegrationModels | undefined;
}

/** A saved provider as configs are compiled with it: references stand for its secrets. */
export const toSavedProvider = ({ provider, settings, owner, fields, listed }: ReadProvider): SavedProvider => {
  const models = listed === undefined ? undefined : allowedModels(listed);
  const prices = listed === undefined ? undefined : savedPrices(listed);
  return {
    provider,
    credential: Object.fromEntries(fields.map((field) => [field, savedRef(sealedAt(owner, field))])),
    settings,
    ...(models !== undefined && { models }),
    ...(prices !== undefined && { prices }),
  };
};
