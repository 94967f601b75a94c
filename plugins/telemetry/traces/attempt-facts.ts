import type { TrailEvent } from '../../../schema/trail.ts';
import type { UsageRecord } from '../../../schema/usage-record.ts';
import type { AttemptStart } from '../../sdk/attempt-start.ts';
import type { Exchange } from '../../sdk/exchange.ts';
import { operationNames, providerName } from './gen-ai-names.ts';

type Attempted = Extract<TrailEvent, { kind: 'attempted' }>;

/** The attributes of a span or of a measurement, by the conventions of OpenTelemetry. */
export type Facts = Record<string, string | number>;

/** Names of models are cut to this: clients put any text there. */
export const longestModel = 256;

/** One attempt that has been announced. */
export interface RunningAttempt {
  readonly start: AttemptStart;
  /** Milliseconds of the runtime's clock. */
  readonly at: number;
}

/** Where an attempt goes: what is known before it is sent. */
export const destinationFacts = ({ origin, provider }: AttemptStart, { route }: Exchange): Facts => {
  const url = URL.parse(origin);
  const port = Number(url?.port || (url?.protocol === 'http:' ? 80 : 443));
  return {
    'gen_ai.operation.name': operationNames[route.operation],
    'gen_ai.provider.name': providerName(provider),
    ...(url === null ? {} : { 'server.address': url.hostname, 'server.port': port }),
  };
};

/** `error.type`: a status, or where the failure came from; undefined for an attempt that did not fail. */
export const errorType = ({ status, origin }: Pick<Attempted, 'status' | 'origin'>): string | undefined => {
  if (origin !== 'upstream') return status < 400 ? undefined : origin;
  return status < 400 ? undefined : String(status);
};

/** What an attempt used, as far as it is known. */
export const usageFacts = ({ kind, model, input, output, cost }: UsageRecord): Facts => {
  if (kind === 'none') return {};
  const written = Object.values(input.cacheWrite ?? {}).reduce((sum, tokens) => sum + tokens, 0);
  return {
    ...(model === '' ? {} : { 'gen_ai.response.model': model }),
    'gen_ai.usage.input_tokens': input.total,
    'gen_ai.usage.output_tokens': output.total,
    ...(input.cacheRead === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': input.cacheRead }),
    ...(written === 0 ? {} : { 'gen_ai.usage.cache_creation.input_tokens': written }),
    ...(output.reasoning === undefined ? {} : { 'gen_ai.usage.reasoning.output_tokens': output.reasoning }),
    ...(cost === undefined ? {} : { 'gatewright.cost.nano_usd': cost.nanoUsd }),
  };
};
