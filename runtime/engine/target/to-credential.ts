import type { CallerOverrides } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Credential, Provider } from '../../../plugins/sdk/provider/provider.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import type { CredentialRef, SecretRef } from '../../../schema/plan/plan.ts';
import { secretOwner } from './secret-owner.ts';

/** Whether a request brings the whole credential itself: only then may it also choose the host. */
export const isCallersOwn = (ref: CredentialRef | null): boolean =>
  ref === null ||
  ref.kind === 'request' ||
  Object.values(ref.fields).every((secret) => secretOwner(secret) === 'caller');

/** Whether the credential is complete without a request. */
export const isKnownAtLink = (ref: CredentialRef | null): boolean =>
  ref === null || (ref.kind === 'fields' && Object.values(ref.fields).every(({ kind }) => kind === 'reference'));

/** The fields of a credential are texts: an object, such as a key file, is its JSON. */
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

/** A target's credential, with its references and slots replaced by their values. */
export const toCredential = (
  ref: CredentialRef | null,
  { provider, overrides, slots, secrets }: CredentialSources,
): Credential | null => {
  if (ref === null) return null;
  if (ref.kind === 'request') return requestCredential(overrides, provider);
  return Object.fromEntries(
    Object.entries(ref.fields).map(([field, value]) => [
      field,
      value.kind === 'slot' ? slots[value.slot] : secrets(value.ref),
    ]),
  );
};
