import type { Sampling } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { fitStops } from '../../shared/request/fit-stops.ts';
import type { Lost } from '../../shared/request/lost.ts';

export const decodeSampling = (wire: Member): Sampling => {
  const stop = wire.at('stop_sequences').maybeItems();
  return keepSources(
    defined({
      maxTokens: wire.at('max_tokens').maybeNumber(),
      temperature: wire.at('temperature').maybeNumber(),
      topP: wire.at('p').maybeNumber(),
      topK: wire.at('k').maybeNumber(),
      stop: stop.length > 0 ? stop.map((item) => item.text()) : undefined,
      seed: wire.at('seed').maybeNumber(),
      presencePenalty: wire.at('presence_penalty').numberUnless(0),
      frequencyPenalty: wire.at('frequency_penalty').numberUnless(0),
    }),
    wire.object(),
  );
};

/** The ranges that the API accepts: https://docs.cohere.com/reference/chat */
const ranges = {
  temperature: [0, 1],
  topP: [0.01, 0.99],
  presencePenalty: [0, 1],
  frequencyPenalty: [0, 1],
} as const;

/** https://docs.cohere.com/reference/chat#request.body.stop_sequences */
const maxStops = 5;

/** Encodes the sampling settings. A value outside a parameter's range becomes the nearest one inside it. */
export const encodeSampling = (sampling: Sampling, lost: Lost): JsonObject => {
  const inRange = (name: keyof typeof ranges): number | undefined => {
    const value = sampling[name];
    if (value === undefined) return undefined;
    const [min, max] = ranges[name];
    const nearest = Math.min(Math.max(value, min), max);
    if (nearest !== value) lost.push(`sampling.${name}`);
    return nearest;
  };
  if (sampling.count !== undefined) lost.push('sampling.count');
  return defined({
    max_tokens: sampling.maxTokens,
    temperature: inRange('temperature'),
    p: inRange('topP'),
    k: sampling.topK,
    stop_sequences: fitStops(sampling.stop, maxStops, lost),
    seed: sampling.seed,
    presence_penalty: inRange('presencePenalty'),
    frequency_penalty: inRange('frequencyPenalty'),
  });
};
