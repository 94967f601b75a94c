import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { IntegrationRow } from '../../kernel/store/tables.ts';
import { type DestinationBody, destinationProperties } from './destination-body.ts';
import { readCredential } from './stored-credential.ts';

/** Finds the warnings about what a record calls once a body is applied to it; none for a body that leaves that as it is. */
export const destinationWarnings = async (
  { providerWarnings }: Pick<ControlParts, 'providerWarnings'>,
  {
    tenant,
    body,
    called: { provider, settings, credential },
  }: {
    /** The one whose time it takes. */
    readonly tenant: string;
    readonly body: DestinationBody;
    readonly called: Pick<IntegrationRow, 'provider' | 'settings' | 'credential'>;
  },
): Promise<readonly Diagnostic[]> => {
  if (!Object.keys(body).some((name) => Object.hasOwn(destinationProperties, name))) return [];
  // Whether there is a secret matters, and not which.
  const secrets = Object.fromEntries(Object.keys(readCredential(credential)).map((field) => [field, 'sealed']));
  return providerWarnings(tenant, { provider, settings: fromJson(settings), credential: secrets });
};
