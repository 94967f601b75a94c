import type { JsonObject } from '../../../../schema/json/json.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { toSentence } from '../../../../schema/text/to-sentence.ts';
import type { HostError } from '../../../sdk/http/host-error.ts';
import type { Catalogue } from '../../../sdk/plugin/catalogue.ts';
import type { Provider } from '../../../sdk/provider/provider.ts';
import { filledSettings } from '../../../sdk/provider/provider-settings.ts';
import { hostHint } from '../../kernel/requests/host-hint.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { SealedAt } from '../../kernel/secrets/seal.ts';

/** The record that a credential belongs to. */
export type CredentialOwner = Pick<SealedAt, 'tenant' | 'table' | 'id'>;

/** Secrets by config field name, each as a text or as the placeholder of a stored secret. */
export interface GivenCredential {
  readonly [field: string]: string;
}

/** The service that a record calls, and how. */
export interface Destination {
  /** The id of a provider, or one of its aliases. */
  readonly provider: string;
  /** By config field name, and `custom_host`. */
  readonly settings: JsonObject;
  readonly credential: GivenCredential;
  /** How the keys in the credential are chosen if there are several; absent if there is one. */
  readonly pool?: StoredPool | undefined;
}

/** The keys of a record that has several, in order. Each secret is sealed under the name of its field. */
export interface StoredPool {
  readonly keys: readonly { readonly field: string; readonly weight: number }[];
  readonly accounts: 'one' | 'several';
}

/** Context for validating a destination. */
export interface ValidationContext {
  readonly catalogue: Catalogue;
  readonly findHostError: ControlParts['findHostError'];
}

/** The origins that a destination calls, and its problems. */
export interface ValidatedDestination {
  /** The origins that its credential may be sent to; none for a provider that answers in process. */
  readonly origins: readonly string[];
  readonly problems: readonly Problem[];
}

/** A base URL, or the reason why it is missing; undefined if none is needed. */
type Address = { readonly url: string; readonly isChosen: boolean } | { readonly why: string } | undefined;

const findAddress = (provider: Provider, settings: JsonObject): Address => {
  const { baseUrl, inProcess } = provider;
  if (inProcess !== undefined) return undefined;
  if (typeof settings.custom_host === 'string') return { url: settings.custom_host, isChosen: true };
  if (baseUrl === undefined) return { why: 'custom_host is missing: the provider has no address of its own.' };
  if (typeof baseUrl === 'string') return { url: baseUrl, isChosen: false };
  try {
    return { url: baseUrl(filledSettings(provider, settings)), isChosen: true };
  } catch (error) {
    // The provider reports this with an `Error` that names the setting.
    return { why: errorText(error) };
  }
};

const findOrigin = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

/** Returns the origins that a provider with settings calls. */
export const readOrigins = (provider: Provider, settings: JsonObject): readonly string[] => {
  const address = findAddress(provider, settings);
  const origin = address !== undefined && 'url' in address ? findOrigin(address.url) : undefined;
  return origin === undefined ? [] : [origin];
};

const missing = (provider: Provider, settings: JsonObject, why: string): Problem => {
  const named = provider.settings?.find((field) => why.startsWith(field));
  const isWrong = named !== undefined && settings[named] !== undefined;
  return problem(
    isWrong ? ['settings', named] : ['settings'],
    toSentence(why),
    isWrong ? 'Correct it, or add a custom_host.' : 'Add the setting that is missing, or a custom_host.',
  );
};

const refused = (settings: JsonObject, error: HostError, url: string): Problem =>
  settings.custom_host === undefined
    ? problem(
        ['settings'],
        `These settings lead to a host that cannot be called: ${toSentence(error.reason)}`,
        hostHint(error, url, 'Correct them.'),
      )
    : problem(
        ['settings', 'custom_host'],
        `This host cannot be called: ${toSentence(error.reason)}`,
        hostHint(error, url, 'Write the base URL of a public host, such as https://models.example.com/v1.'),
      );

/** Determines what a provider with settings calls, and lists the problems with that. */
export const validateAddress = (
  provider: Provider,
  settings: JsonObject,
  findHostError: ControlParts['findHostError'],
): ValidatedDestination => {
  const { custom_host: host } = settings;
  // A host that is not a text is reported elsewhere.
  const address = host === undefined || typeof host === 'string' ? findAddress(provider, settings) : undefined;
  if (address === undefined) return { origins: [], problems: [] };
  if ('why' in address) return { origins: [], problems: [missing(provider, settings, address.why)] };
  // A provider's own address comes from its plugin, and so from the operator.
  const error = address.isChosen ? findHostError(address.url) : undefined;
  const origin = findOrigin(address.url);
  if (error === undefined && origin !== undefined) return { origins: [origin], problems: [] };
  const unread = { reason: 'it cannot be read as a URL', listable: false };
  return { origins: [], problems: [refused(settings, error ?? unread, address.url)] };
};
