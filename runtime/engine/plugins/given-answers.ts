import type { GatewayResponse, UpstreamAnswer } from '../../../plugins/sdk/http/http.ts';

type Members = { readonly [member: string]: unknown };

const toMembers = (value: unknown): Members => Object(value) as Members;

const hasFunctions = (value: unknown, names: readonly string[]): boolean =>
  names.every((name) => typeof toMembers(value)[name] === 'function');

const isBody = (body: unknown): boolean => {
  const { kind, bytes } = toMembers(body);
  if (kind === 'bytes') return bytes instanceof Uint8Array;
  return kind === 'stream' && hasFunctions(body, ['start', 'discard', 'onEnd']);
};

const notAnswer = (hook: string): TypeError =>
  new TypeError(`A plugin gave something else than an answer at the hook "${hook}".`);

/**
 * An answer that a plugin gave at a hook. One that was not type-checked may give anything, which would fail where nobody answers
 * any more. Throws a `TypeError` for what is no answer.
 */
export const givenResponse = (hook: string, given: GatewayResponse): GatewayResponse => {
  const { headers, body } = toMembers(given);
  if (Array.isArray(headers) && isBody(body)) return given;
  throw notAnswer(hook);
};

/** The same of an answer in place of a provider's. */
export const givenAnswer = (hook: string, given: UpstreamAnswer): UpstreamAnswer => {
  const { kind, headers, body, error } = toMembers(given);
  if (kind === 'failure' && typeof error === 'object' && error !== null) return given;
  if (kind === 'answer' && Array.isArray(headers) && hasFunctions(body, ['collect', 'start', 'discard'])) return given;
  throw notAnswer(hook);
};
