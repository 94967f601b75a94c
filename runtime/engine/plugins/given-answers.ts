import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import type { GatewayResponse, UpstreamAnswer, UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import { areSendable } from '../../../plugins/sdk/http/sendable-headers.ts';
import { areHeaders } from '../../../plugins/sdk/provider/provider-settings.ts';
import { isFinalStatus } from '../../../schema/http/status.ts';

type Members = { readonly [member: string]: unknown };

const toMembers = (value: unknown): Members => Object(value) as Members;

const hasFunctions = (value: unknown, names: readonly string[]): boolean =>
  names.every((name) => typeof toMembers(value)[name] === 'function');

const isBody = (body: unknown): boolean => {
  const { kind, bytes } = toMembers(body);
  if (kind === 'bytes') return bytes instanceof Uint8Array;
  return kind === 'stream' && hasFunctions(body, ['start', 'discard', 'onEnd']);
};

/** Whether a value that a plugin returned has the members of a request to a provider. */
export const isRequest = (given: UpstreamRequest): boolean => {
  const { method, origin, path, headers, body } = toMembers(given);
  const areTexts = [method, origin, path].every((member) => typeof member === 'string');
  return areTexts && Array.isArray(headers) && body !== undefined;
};

type GivingHook = 'beforeRoute' | 'admit' | 'request' | 'response' | 'providerRequest' | 'providerResponse';

/**
 * Creates the error for a wrong value. It names all plugins that tap the hook, because each receives the result of the one
 * before.
 */
const wrongValue = (hooks: Pick<Hooks, GivingHook>, hook: GivingHook, what: string): TypeError => {
  const names = new Set(hooks[hook].taps.map(({ name }) => name));
  return new TypeError(
    `A plugin returned something other than ${what} at the hook "${hook}", which is tapped by ${[...names].join(', ')}.`,
  );
};

/**
 * Checks an answer that a plugin returned from a hook. A plugin that was not type-checked may return anything, which would fail
 * at a point where no error can be answered. Throws a `TypeError` if it is not an answer.
 */
export const checkedResponse = (
  hooks: Pick<Hooks, GivingHook>,
  hook: 'beforeRoute' | 'admit' | 'response',
  given: GatewayResponse,
): GatewayResponse => {
  const { status, headers, body } = toMembers(given);
  if (!isFinalStatus(status) || !areHeaders(headers) || !isBody(body)) throw wrongValue(hooks, hook, 'an answer');
  if (!areSendable(headers)) throw wrongValue(hooks, hook, 'an answer whose headers HTTP can carry');
  return given;
};

/** Does the same for an answer in place of a provider's. */
export const checkedAnswer = (hooks: Pick<Hooks, GivingHook>, given: UpstreamAnswer): UpstreamAnswer => {
  const { kind, headers, body, error } = toMembers(given);
  if (kind === 'failure' && typeof error === 'object' && error !== null) return given;
  if (kind !== 'answer' || !areHeaders(headers) || !hasFunctions(body, ['collect', 'start', 'discard']))
    throw wrongValue(hooks, 'providerResponse', 'an answer');
  if (!areSendable(headers)) throw wrongValue(hooks, 'providerResponse', 'an answer whose headers HTTP can carry');
  return given;
};

/** Does the same for a replacement of a client's request. */
export const checkedExchange = (hooks: Pick<Hooks, GivingHook>, given: Exchange): Exchange => {
  const { principal, route, request, overrides } = toMembers(given);
  if ([principal, route, request, overrides].every((member) => typeof member === 'object' && member !== null))
    return given;
  throw wrongValue(hooks, 'request', 'an exchange');
};

/** Does the same for a replacement of a request to a provider. */
export const checkedRequest = (hooks: Pick<Hooks, GivingHook>, given: UpstreamRequest): UpstreamRequest => {
  if (isRequest(given)) return given;
  throw wrongValue(hooks, 'providerRequest', 'a request');
};
