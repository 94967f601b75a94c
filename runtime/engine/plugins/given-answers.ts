import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Hooks, StreamStage, StreamStageFactory } from '../../../plugins/sdk/hooks/hooks.ts';
import type { GatewayResponse, UpstreamAnswer, UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import { areSendable } from '../../../plugins/sdk/http/sendable-headers.ts';
import { areHeaders } from '../../../plugins/sdk/provider/provider-settings.ts';
import { isFinalStatus, switchingProtocols } from '../../../schema/http/status.ts';
import { PluginError } from './plugin-error.ts';

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

/** Whether an answer that opens a WebSocket, or has a final status, may be given. */
const hasStatus = ({ status, toUpstream }: Members): boolean =>
  isFinalStatus(status) ||
  (status === switchingProtocols && hasFunctions(toUpstream, ['write', 'onDrain', 'end', 'fail']));

type GivingHook = 'beforeRoute' | 'admit' | 'request' | 'response' | 'providerRequest' | 'providerResponse' | 'stream';

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
  const { headers, body } = toMembers(given);
  if (!hasStatus(toMembers(given)) || !areHeaders(headers) || !isBody(body)) throw wrongValue(hooks, hook, 'an answer');
  if (!areSendable(headers)) throw wrongValue(hooks, hook, 'an answer whose headers HTTP can carry');
  return given;
};

/** Returns what a value in place of a provider's answer should be. Undefined if it is that. */
const missingAnswer = (given: unknown): string | undefined => {
  const { kind, headers, body, error } = toMembers(given);
  if (kind === 'failure' && typeof error === 'object' && error !== null) return undefined;
  const isAnswer = kind === 'answer' && hasStatus(toMembers(given)) && areHeaders(headers);
  if (!isAnswer || !hasFunctions(body, ['collect', 'start', 'discard'])) return 'an answer';
  return areSendable(headers) ? undefined : 'an answer whose headers HTTP can carry';
};

/** Does the same for an answer in place of a provider's. */
export const checkedAnswer = (hooks: Pick<Hooks, GivingHook>, given: UpstreamAnswer): UpstreamAnswer => {
  const missing = missingAnswer(given);
  if (missing !== undefined) throw wrongValue(hooks, 'providerResponse', missing);
  return given;
};

/** Does the same for the answer of a provider that a plugin runs in process. The body of a wrong answer is discarded. */
export const checkedOwnAnswer = (provider: string, given: UpstreamAnswer | undefined): UpstreamAnswer => {
  const missing = missingAnswer(given);
  if (missing === undefined && given !== undefined) return given;
  if (given?.kind === 'answer' && hasFunctions(given.body, ['discard'])) given.body.discard();
  throw new TypeError(`The provider "${provider}", which is a plugin's, returned something other than ${missing}.`);
};

/**
 * Does the same for the stages that plugins add to streams. Throws a `PluginError` if what should create them cannot, before there
 * is a request.
 */
export const checkedFactory = (hooks: Pick<Hooks, GivingHook>, given: StreamStageFactory): StreamStageFactory => {
  const { reads, holds } = toMembers(given);
  if (!Array.isArray(reads) || holds === undefined || !hasFunctions(given, ['create']))
    throw new PluginError(wrongValue(hooks, 'stream', 'a stage factory with "reads", "holds" and "create"').message);
  return {
    reads: given.reads,
    holds: given.holds,
    create(exchange): StreamStage {
      const stage = given.create(exchange);
      if (!hasFunctions(stage, ['push', 'end'])) throw wrongValue(hooks, 'stream', 'a stage with "push" and "end"');
      return stage;
    },
  };
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
