import { findText } from '../../../../schema/json/loose.ts';
import { isTextType } from '../../../sdk/texts/written-text.ts';
import { toFileText } from '../../shared/checked-texts/file-text.ts';
import {
  list,
  type Member,
  type Members,
  media,
  object,
  structural,
  text,
  value,
  variants,
} from '../../shared/checked-texts/members.ts';
import type { Spelling } from './spelling.ts';

/** Marks the words that the events of a stream do not report. */
export type Mark = (member: Member) => Member;

const heard = (spell: Spelling): Member =>
  object(
    spell({
      text: text(),
      finished: structural,
      languageCode: structural,
      speakerLabel: text('other'),
      words: list(object(spell({ word: text(), startOffset: structural, endOffset: structural }))),
      startOffset: structural,
      endOffset: structural,
    }),
  );

const partialArgument = (spell: Spelling): Member =>
  object(
    spell({
      stringValue: text(),
      jsonPath: structural,
      boolValue: structural,
      nullValue: structural,
      numberValue: structural,
      willContinue: structural,
    }),
  );

/** If both spellings are present, it is unknown which one counts. */
const inlineText = toFileText(([blob]) => {
  const types = [findText(blob?.mimeType), findText(blob?.mime_type)].filter((each) => each !== undefined);
  return types.find(isTextType) ?? types[0];
});

/** Media and files. */
const files = (spell: Spelling, mark: Mark): Members =>
  spell({
    inlineData: object(spell({ displayName: mark(text('other')), data: inlineText, mimeType: structural })),
    fileData: object(spell({ displayName: mark(text('other')), fileUri: media, mimeType: structural })),
    mediaProcessing: structural,
  });

const functions = (spell: Spelling, mark: Mark): Members =>
  spell({
    functionCall: object(
      spell({
        args: value(),
        partialArgs: list(partialArgument(spell)),
        id: structural,
        name: structural,
        willContinue: structural,
      }),
      'tool-arguments',
    ),
    functionResponse: object(
      spell({
        parts: list(object(files(spell, mark))),
        response: value(),
        id: structural,
        name: structural,
        scheduling: structural,
        willContinue: structural,
      }),
      'tool-result',
    ),
  });

/** Tools that Google runs. */
const tools = (spell: Spelling): Members =>
  spell({
    executableCode: object({ code: text(), language: structural, id: structural }, 'server-tool'),
    codeExecutionResult: object({ output: text(), outcome: structural, id: structural }, 'server-tool'),
    toolCall: object(spell({ args: value(), id: structural, toolType: structural }), 'server-tool'),
    toolResponse: object(spell({ response: value(), id: structural, toolType: structural }), 'server-tool'),
  });

/** The members beside the content of a part. The stream decoder emits only the content. */
const besideContent = (spell: Spelling, mark: Mark): Members =>
  spell({
    audioTranscription: mark(heard(spell)),
    partMetadata: mark(value('other')),
    speechMetadata: mark(object({ speaker: text(), style: text() }, 'other')),
    videoMetadata: object(spell({ startOffset: structural, endOffset: structural, fps: structural })),
    mediaResolution: object(spell({ level: structural, numTokens: structural })),
    thought: structural,
    thoughtSignature: structural,
  });

/** The members of a content: https://ai.google.dev/api/caching#Part */
const part = (spell: Spelling, mark: Mark): Member => {
  const said = (kind?: 'reasoning'): Member =>
    object({
      text: text(kind),
      ...files(spell, mark),
      ...functions(spell, mark),
      ...tools(spell),
      ...besideContent(spell, mark),
    });
  return variants('thought', { true: said('reasoning'), false: said() }, said());
};

/** The content of one turn: https://ai.google.dev/api/caching#Content */
export const content = (spell: Spelling, mark: Mark = (member) => member): Member =>
  object({ parts: list(part(spell, mark)), role: structural });
