import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';

type Options = Pick<
  Conversation,
  'serviceTier' | 'logprobs' | 'modalities' | 'audio' | 'cacheKey' | 'verbosity' | 'user'
>;

/** The members of a request that `decodeOptions` reads. */
export const optionNames = [
  'service_tier',
  'logprobs',
  'top_logprobs',
  'modalities',
  'audio',
  'prompt_cache_key',
  'verbosity',
  'user',
] as const;

const decodeLogprobs = (wire: Member): Options['logprobs'] =>
  wire.at('logprobs').maybeBoolean() === true ? defined({ top: wire.at('top_logprobs').maybeNumber() }) : undefined;

const decodeAudio = (audio: Member): Options['audio'] =>
  audio.absent ? undefined : defined({ voice: audio.at('voice').value, format: audio.at('format').maybeText() });

/** Decodes the options of a request other than its messages, tools and sampling. */
export const decodeOptions = (wire: Member): Options => {
  const modalities = wire.at('modalities');
  return defined({
    serviceTier: wire.at('service_tier').maybeText(),
    logprobs: decodeLogprobs(wire),
    modalities: modalities.absent ? undefined : modalities.items().map((each) => each.text()),
    audio: decodeAudio(wire.at('audio')),
    cacheKey: wire.at('prompt_cache_key').maybeText(),
    verbosity: wire.at('verbosity').maybeText(),
    user: wire.at('user').maybeText(),
  });
};

export const encodeOptions = (conversation: Conversation): JsonObject => {
  const { serviceTier, logprobs, modalities, audio, cacheKey, verbosity, user } = conversation;
  return defined({
    service_tier: serviceTier,
    logprobs: logprobs === undefined ? undefined : true,
    top_logprobs: logprobs?.top,
    modalities,
    audio: audio === undefined ? undefined : { ...audio },
    prompt_cache_key: cacheKey,
    verbosity,
    user,
  }) as JsonObject;
};
