import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { errors } from '../chat/parts/errors.ts';
import { memberTexts } from '../shared/checked-texts/member-texts.ts';
import { speechDeclaration } from './declaration.ts';
import { speechMembers } from './members.ts';
import { mediaStream } from './stream.ts';
import { findUsage } from './usage.ts';

/**
 * OpenAI's speech: https://platform.openai.com/docs/api-reference/audio/createSpeech. An answer is audio, or events with pieces
 * of it.
 */
export const speech: Dialect = {
  ...speechDeclaration,
  ...mediaStream('speech.audio.done'),
  relays: { types: /^(?:audio\/|video\/|application\/(?:octet-stream|ogg)\b)/, orJson: false },
  ...errors,
  texts: memberTexts(speechMembers),
  members: speechMembers,
  usage: findUsage,
  metered: { usage: true },
};
