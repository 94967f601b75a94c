import type { DialectMembers } from '../../sdk/dialect/members.ts';
import { all, facts, list, media, object, structural, text, value } from '../shared/checked-texts/members.ts';

/** https://platform.openai.com/docs/api-reference/audio/createSpeech. Answers are audio. */
export const speechMembers: DialectMembers = {
  request: object({
    ...all('input instructions', value()),
    ...all('model response_format speed stream_format language lang_code sample_rate', structural),
    ...all('voice', facts),
  }),
  answer: object({}),
};

/**
 * The fields of forms, and of answers: https://platform.openai.com/docs/api-reference/audio/createTranscription. Audio cannot be
 * judged.
 */
export const transcriptionMembers: DialectMembers = {
  request: object({
    ...all('file url known_speaker_references', media),
    prompt: value(),
    ...all('known_speaker_names', list(text())),
    ...all('model language response_format temperature stream target_language', structural),
    ...all('timestamp_granularities include chunking_strategy', facts),
  }),
  answer: object({
    text: text(),
    segments: list(
      object({
        text: text(),
        ...all('id seek start end temperature avg_logprob compression_ratio no_speech_prob type speaker', structural),
        ...all('tokens', facts),
      }),
    ),
    words: list(object({ word: text(), ...all('start end', structural) })),
    logprobs: list(object({ token: text(), logprob: structural, bytes: facts })),
    ...all('task language duration model', structural),
    ...all('usage x_groq', facts),
  }),
};
