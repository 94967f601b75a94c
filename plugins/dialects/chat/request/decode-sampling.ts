import type { Sampling } from '../../../../schema/conversation/conversation.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';

const decodeStop = (stop: Member): readonly string[] | undefined => {
  if (typeof stop.value === 'string') return [stop.value];
  const sequences = stop.maybeItems().map((item) => item.text());
  return sequences.length > 0 ? sequences : undefined;
};

/** Reads the sampling settings, whose names chats and text completions share. */
export const decodeSampling = (wire: Member): Sampling =>
  keepSources(
    defined({
      maxTokens: wire.at('max_completion_tokens').maybeNumber() ?? wire.at('max_tokens').maybeNumber(),
      temperature: wire.at('temperature').maybeNumber(),
      topP: wire.at('top_p').maybeNumber(),
      topK: wire.at('top_k').maybeNumber(),
      stop: decodeStop(wire.at('stop')),
      seed: wire.at('seed').maybeNumber(),
      presencePenalty: wire.at('presence_penalty').numberUnless(0),
      frequencyPenalty: wire.at('frequency_penalty').numberUnless(0),
      count: wire.at('n').numberUnless(1),
    }),
    wire.object(),
  );
