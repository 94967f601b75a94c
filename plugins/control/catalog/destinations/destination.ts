import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Catalogue } from '../../../sdk/plugin/catalogue.ts';
import type { Provider } from '../../../sdk/provider/provider.ts';
import type { Problem } from '../../kernel/requests/problem.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';

/** The fields of a provider's credential; the first is its main one. */
export const toCredentialFields = ({ credential, credentialFields = ['api_key'] }: Provider): readonly string[] =>
  credential === 'none' ? [] : credentialFields;

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
}

/** Context for validating a destination. */
export interface Judging {
  readonly catalogue: Catalogue;
  readonly findHostError: ControlParts['findHostError'];
}

/** Where a destination leads, and all that is wrong with it. */
export interface ValidatedDestination {
  /** The origins that its credential is for; none for a provider that answers in process. */
  readonly origins: readonly string[];
  readonly problems: readonly Problem[];
}
