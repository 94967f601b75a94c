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

/** Secrets by config field name, each as a text or as the placeholder of one that is stored. */
export interface GivenCredential {
  readonly [field: string]: string;
}

/** The service that a record calls, and how. */
export interface Destination {
  /** The id of a provider, or another of its names. */
  readonly provider: string;
  /** By config field name, and `custom_host`. */
  readonly settings: JsonObject;
  readonly credential: GivenCredential;
  /** How the keys are drawn that are in the credential, where it has several; absent if it has one. */
  readonly pool?: StoredPool | undefined;
}

/** The keys of a record that has several, in their order. The secret of each is sealed under the name of its field. */
export interface StoredPool {
  readonly keys: readonly { readonly field: string; readonly weight: number }[];
  readonly accounts: 'one' | 'several';
}

/** Context for validating a destination. */
export interface Judging {
  readonly catalogue: Catalogue;
  readonly findHostError: ControlParts['findHostError'];
}

/** The origins that a destination leads to, and all that is wrong with it. */
export interface ValidatedDestination {
  /** The origins that its credential is for; none for a provider that answers in process. */
  readonly origins: readonly string[];
  readonly problems: readonly Problem[];
}

/** A base URL, or the reason why it is missing; neither where none is needed. */
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
    // A provider says so by an `Error` that names the setting.
    return { why: errorText(error) };
  }
};

const findOrigin = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

/** Finds the origins that a provider with settings leads to. */
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

/** Finds where a provider with settings leads, and what is wrong with that. */
export const validateAddress = (
  provider: Provider,
  settings: JsonObject,
  findHostError: ControlParts['findHostError'],
): ValidatedDestination => {
  const { custom_host: host } = settings;
  // That a host is no text is reported elsewhere.
  const address = host === undefined || typeof host === 'string' ? findAddress(provider, settings) : undefined;
  if (address === undefined) return { origins: [], problems: [] };
  if ('why' in address) return { origins: [], problems: [missing(provider, settings, address.why)] };
  // A provider's own address is its plugin's, and so the operator's.
  const error = address.isChosen ? findHostError(address.url) : undefined;
  const origin = findOrigin(address.url);
  if (error === undefined && origin !== undefined) return { origins: [origin], problems: [] };
  const unread = { reason: 'it cannot be read as a URL', listable: false };
  return { origins: [], problems: [refused(settings, error ?? unread, address.url)] };
};
