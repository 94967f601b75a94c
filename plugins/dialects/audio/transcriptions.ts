import type { Dialect, DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { errors } from '../chat/parts/errors.ts';
import { memberTexts } from '../shared/checked-texts/member-texts.ts';
import { transcriptionsDeclaration, translationsDeclaration } from './declaration.ts';
import { transcriptionMembers } from './members.ts';
import { mediaStream } from './stream.ts';
import { findUsage } from './usage.ts';

const written = (declaration: DialectDeclaration): Dialect => ({
  ...declaration,
  ...mediaStream('transcript.text.done'),
  // Some services send subtitles with media types of their own.
  relays: { types: /^(?:text\/(?!event-stream|html)|application\/(?:x-subrip|octet-stream)\b)/, orJson: true },
  ...errors,
  texts: memberTexts(transcriptionMembers),
  members: transcriptionMembers,
  usage: findUsage,
  metered: { usage: true },
});

/**
 * OpenAI's transcriptions: https://platform.openai.com/docs/api-reference/audio/createTranscription. Requests are forms; answers
 * are JSON, text, or events.
 */
export const transcriptions: Dialect = written(transcriptionsDeclaration);

/** OpenAI's translations: https://platform.openai.com/docs/api-reference/audio/createTranslation */
export const translations: Dialect = written(translationsDeclaration);
