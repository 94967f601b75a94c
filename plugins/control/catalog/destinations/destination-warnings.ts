import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { IntegrationRow } from '../../kernel/store/tables.ts';
import { type DestinationBody, destinationProperties } from './destination-body.ts';
import { readCredential } from './stored-credential.ts';

/** Finds the warnings about a record's destination after a body is applied to it; none if the body does not change it. */
export const destinationWarnings = async (
  { providerWarnings }: Pick<ControlParts, 'providerWarnings'>,
  {
    tenant,
    body,
    called: { provider, settings, credential },
  }: {
    /** The tenant whose time is used. */
    readonly tenant: string;
    readonly body: DestinationBody;
    readonly called: Pick<IntegrationRow, 'provider' | 'settings' | 'credential'>;
  },
): Promise<readonly Diagnostic[]> => {
  if (!Object.keys(body).some((name) => Object.hasOwn(destinationProperties, name))) return [];
  // It matters only whether there is a secret, and not which.
  const secrets = Object.fromEntries(Object.keys(readCredential(credential)).map((field) => [field, 'sealed']));
  return providerWarnings(tenant, { provider, settings: fromJson(settings), credential: secrets });
};
