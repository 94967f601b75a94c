import type { CallerOverrides } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Credential, Provider } from '../../../plugins/sdk/provider/provider.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import type { CredentialRef, SecretRef, SecretValue } from '../../../schema/plan/plan.ts';
import { credentialSecrets } from '../../../schema/plan/plan.ts';
import { secretOwner } from './secret-owner.ts';

/** Whether a request brings the whole credential itself. Only then may it also choose the host. */
export const isCallersOwn = (ref: CredentialRef | null): boolean =>
  credentialSecrets(ref).every((secret) => secretOwner(secret) === 'caller');

/** Whether the credential is complete without a request. */
export const isKnownAtLink = (ref: CredentialRef | null): boolean =>
  ref?.kind !== 'request' && credentialSecrets(ref).every(({ kind }) => kind === 'reference');

/** Returns a credential's field as text. An object, such as a key file, becomes its JSON. */
const fieldText = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? value : isJsonObject(value) ? JSON.stringify(value) : undefined;

const requestCredential = ({ credential, settings = {} }: CallerOverrides, provider: Provider): Credential | null => {
  const fields = provider.credentialFields ?? ['api_key'];
  const [main] = fields;
  const given = fields.flatMap((field): [string, string][] => {
    const value = fieldText(settings[field]);
    return value === undefined ? [] : [[field, value]];
  });
  if (credential !== undefined && main !== undefined) given.unshift([main, credential]);
  return given.length === 0 ? null : Object.fromEntries(given);
};

export interface CredentialSources {
  readonly provider: Provider;
  readonly overrides: CallerOverrides;
  /** The literal secrets of the request's plan, by slot. */
  readonly slots: readonly string[];
  readonly secrets: (ref: SecretRef) => string | undefined;
}

/** Returns the value of a secret. */
export const secretText = (
  value: SecretValue,
  { slots, secrets }: Pick<CredentialSources, 'slots' | 'secrets'>,
): string | undefined => (value.kind === 'slot' ? slots[value.slot] : secrets(value.ref));

/**
 * Returns a target's credential, with references and slots replaced by their values. If it has several keys, the first is used.
 */
export const toCredential = (ref: CredentialRef | null, sources: CredentialSources): Credential | null => {
  switch (ref?.kind) {
    case undefined:
      return null;
    case 'request':
      return requestCredential(sources.overrides, sources.provider);
    case 'keys':
      return { api_key: secretText(ref.keys[0].apiKey, sources) };
    case 'fields':
      return Object.fromEntries(
        Object.entries(ref.fields).map(([field, value]) => [field, secretText(value, sources)]),
      );
  }
};
