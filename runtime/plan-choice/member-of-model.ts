import { toBuffer } from '../../plugins/sdk/http/to-buffer.ts';
import { type GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { spliceParams } from '../json-bodies/edit/splice-params.ts';
import { refuseAmbiguous } from '../json-bodies/read/refuse-ambiguous.ts';
import type { SavedMember } from '../tenant-plans/with-saved.ts';
import { type KnownProviders, providerOfModel } from './provider-of-model.ts';

const suggestions = {
  other: (provider: string, model: string) => `Did you mean "@${provider}/${model}"?`,
  unsaved: (provider: string) =>
    `The model begins with "${provider}", for which nothing is saved here: send x-gw-provider: ${provider} with Authorization, or save one.`,
  several: (provider: string) =>
    `The model begins with "${provider}", for which several are saved: name one of them, as @slug/model.`,
};

/** Another reader of the body must not find another model in it. */
const setModel = (exchange: HttpExchange, model: string): void => {
  refuseAmbiguous(exchange);
  const { body } = exchange.request;
  if (body.kind === 'bytes') exchange.replaceBytes(spliceParams(toBuffer(body.bytes), { model }));
};

const missing = (kind: keyof typeof suggestions, provider: string, model = ''): GatewayError =>
  gatewayError('missing-provider', { suggestion: suggestions[kind](provider, model) });

/**
 * Returns the provider that the beginning of a request's model names, as a config would. The model is then the rest, and is
 * rewritten to `@slug/model` if the provider is a saved one. Undefined if it names none. Throws the `GatewayError`
 * `missing-provider` if the named provider cannot be called.
 */
export const memberOfModel = (exchange: HttpExchange, name: string, known: KnownProviders): SavedMember | undefined => {
  const found = providerOfModel(name, known);
  if (found === undefined) return undefined;
  if (found.kind === 'other') throw missing(found.kind, found.provider, found.model);
  if (found.kind === 'unsaved' || found.kind === 'several') throw missing(found.kind, found.provider);
  if (found.kind === 'keyless') {
    setModel(exchange, found.model);
    return { name: 'provider', value: found.provider };
  }
  const value = `@${found.slug}`;
  setModel(exchange, `${value}/${found.model}`);
  return { name: 'provider', value };
};
