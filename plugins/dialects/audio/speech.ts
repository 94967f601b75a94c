import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { decodeStreamError, encodeStreamError, encodeWireError } from '../chat/errors/errors.ts';
import { bodyTexts } from '../wire/checked-texts/request-texts.ts';
import { readHttpError } from '../wire/errors/http-error.ts';
import { speechDeclaration } from './declaration.ts';
import { speechMembers } from './members.ts';
import { mediaStream } from './stream.ts';
import { findUsage } from './usage.ts';

/** OpenAI's speech: https://platform.openai.com/docs/api-reference/audio/createSpeech. Its answers are sounds, or events with pieces of one. */
export const speech: Dialect = {
  ...speechDeclaration,
  ...mediaStream('speech.audio.done'),
  relays: { types: /^(?:audio\/|video\/|application\/(?:octet-stream|ogg)\b)/, orJson: false },
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
  texts: (body, phase, how) => bodyTexts(phase === 'input' ? speechMembers.request : speechMembers.answer, body, how),
  members: speechMembers,
  usage: findUsage,
  metered: { usage: true },
};
