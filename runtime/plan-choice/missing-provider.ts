import { callsNoModel } from '../../plugins/sdk/models/calls-no-model.ts';
import { findOwnModel } from '../../plugins/sdk/models/named-models.ts';
import { GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import { closestName } from '../../schema/text/closest-name.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { hasUnreadHeaders, misspeltHeader, portkeyUnread } from '../http/headers/misspelt-header.ts';
import { requestModel } from '../json-bodies/read/named-model.ts';
import type { TenantChoice } from '../tenant-plans/tenant-plans.ts';
import { listVirtualModels, type OwnModels } from '../tenant-plans/virtual-models.ts';
import type { KnownProviders } from './provider-of-model.ts';

/** The names that a request can have. */
export interface KnownNames {
  /** Finds the providers that a model can begin with. */
  readonly knownProviders?: (() => KnownProviders) | undefined;
  /** The names that the caller's tenant has saved. */
  readonly own?: Pick<TenantChoice, 'saved' | 'names'>;
  /** The virtual models that the caller's tenant has saved. */
  readonly ownModels?: OwnModels | undefined;
  /** The saved config for callers that bring neither. */
  readonly defaultConfig?: string | undefined;
}

/** How many characters of a name are compared and shown. */
export const longestName = 200;

/** Returns the names of the saved configs that a request can name. */
export const configNames = ({ generationRef }: HttpExchange, { own }: KnownNames): readonly string[] => [
  ...(own?.names() ?? []),
  ...(generationRef?.generation.entries.keys() ?? []),
];

/** Returns the sentence for a request that names no provider. */
export type ToHint = (exchange: HttpExchange, names: KnownNames) => string;

/** Returns the sentence for a model that resembles the name of a virtual model or a saved config. `undefined` for all others. */
const modelHint = (exchange: HttpExchange, known: KnownNames): string | undefined => {
  const written = requestModel(exchange)?.slice(0, longestName);
  if (written === undefined) return undefined;
  const virtual = listVirtualModels(exchange, known.ownModels).map(({ id }) => id);
  const model = closestName(written, virtual);
  if (model !== undefined)
    return `There is no model "${written}" here: did you mean "${model}"? GET /v1/models lists what a request can name.`;
  const config = closestName(written, configNames(exchange, known));
  return config && `There is a config "${config}": to use it, send x-gw-config: ${config}.`;
};

const providerHeaders = 'x-gw-virtual-key, or x-gw-provider with Authorization';

/** Returns the other ways of naming a provider that the caller has not used, and may use. */
const otherWays = ({ caller, principal: { defaults } }: HttpExchange): string => {
  if (caller.config !== undefined) return `Name a provider in the config, send ${providerHeaders}`;
  return defaults?.config !== undefined && defaults.allowConfigOverride === false
    ? `Send ${providerHeaders}`
    : `Send x-gw-config, ${providerHeaders}`;
};

/** Returns why the body of a model request cannot be read, and what to do. Undefined if it can, or may be anything. */
const unreadableBody = (exchange: HttpExchange): string | undefined => {
  const { route, request } = exchange;
  if (route.operation === 'opaque' || (request.body.kind !== 'bytes' && request.body.kind !== 'none')) return undefined;
  try {
    exchange.json();
    return undefined;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return error.report.message;
  }
};

/**
 * Returns the ways of writing a model with its provider: with the saved provider if the model begins with it, or if there is only
 * one.
 */
const writtenModel = (model: string, known: KnownProviders | undefined): string => {
  const { saved = {}, find } = known ?? {};
  const [beginning = ''] = model.split('/', 1);
  if (beginning !== model && Object.hasOwn(saved, beginning)) return `@${model}`;
  // The first name of a saved provider is its slug.
  const [[slug, { provider: id }] = ['', { provider: '' }]] = Object.entries(saved);
  if (new Set(Object.values(saved)).size !== 1) return `provider/${model} or @slug/${model}, with a saved provider`;
  const provider = find?.(id);
  return `@${slug}/${(provider && findOwnModel(model, provider)) ?? model}`;
};

/** Returns the sentence for a model that is only a slug. `undefined` for all others. */
const slugHint = (exchange: HttpExchange, { knownProviders }: KnownNames): string | undefined => {
  const model = requestModel(exchange)?.slice(0, longestName) ?? '';
  const [, slug] = /^@([^/]+)\/?$/.exec(model) ?? [];
  if (slug === undefined) return undefined;
  const isSaved = Object.hasOwn(knownProviders?.().saved ?? {}, slug);
  const why = isSaved
    ? `"@${slug}" is a saved provider: write the model as @${slug}/MODEL.`
    : `The model "${model}" is only a slug: write it as @slug/MODEL, with a saved provider.`;
  return `${why} GET /v1/models lists what a request can name.`;
};

/** Returns the sentence with all ways of naming a provider. The one in the model has the saved provider, if there is only one. */
const providerHint = (exchange: HttpExchange, { knownProviders, ownModels, defaultConfig }: KnownNames): string => {
  const model = requestModel(exchange)?.slice(0, longestName);
  const ways = otherWays(exchange);
  if (model === undefined) {
    const unread = unreadableBody(exchange);
    if (unread !== undefined) return `No model could be read either. ${unread} ${ways}.`;
    const [first] = callsNoModel(exchange.request) ? [] : listVirtualModels(exchange, ownModels);
    // A virtual model may not hold conversations, so it is shown only to a request that is one.
    const example = exchange.route.operation === 'converse' && first !== undefined ? `, such as "${first.id}"` : '';
    const lacking = first === undefined ? '' : `It has no "model" either${example}: add it. Or: `;
    return `${lacking}${ways}.`;
  }
  const written = writtenModel(model, knownProviders?.());
  const hasDefault = defaultConfig !== undefined || exchange.principal.defaults?.config !== undefined;
  const last =
    hasDefault || exchange.caller.config !== undefined
      ? `or write the model as ${written}`
      : `write the model as ${written}, or set "default_config" in the gateway file`;
  return `The model "${model}" names none. ${ways}, ${last}. GET /v1/models lists what a request can name.`;
};

/** Returns the sentence for a model that is only a slug, or else that with all ways. */
export const slugOrProviderHint = (exchange: HttpExchange, known: KnownNames): string =>
  slugHint(exchange, known) ?? providerHint(exchange, known);

/** Returns the sentence for a model that resembles a name, or else the previous one. */
export const modelOrProviderHint = (exchange: HttpExchange, known: KnownNames): string =>
  slugHint(exchange, known) ?? modelHint(exchange, known) ?? providerHint(exchange, known);

/** Creates the error of a request that names no provider in any way. */
export const missingProvider = (exchange: HttpExchange, known: KnownNames): GatewayError => {
  const slip = misspeltHeader(exchange.request.headers);
  const suggestion =
    (slip && `There is no header ${slip.written}: did you mean ${slip.meant}?`) ??
    (hasUnreadHeaders(exchange.request.headers, exchange.caller)
      ? `${portkeyUnread}, or send x-gw-config.`
      : undefined) ??
    modelOrProviderHint(exchange, known);
  return gatewayError('missing-provider', { suggestion });
};
