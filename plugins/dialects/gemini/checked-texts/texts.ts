import { findObject } from '../../../../schema/json/loose.ts';
import { type ConversationTexts, conversationTexts } from '../../shared/checked-texts/conversation-texts.ts';
import { speakerByRole } from '../../shared/checked-texts/first-judged-turn.ts';
import { answer, frame } from './answer.ts';
import { requestMembers, turn } from './request.ts';

export const judgedTexts: ConversationTexts = conversationTexts({
  members: requestMembers,
  turns: 'contents',
  turn,
  readSpeaker: speakerByRole('model'),
  answer,
  frame,
  // Whether a body is an answer. A refused prompt is an answer without text of its own.
  isAnswer: ({ candidates, promptFeedback }) =>
    (candidates !== undefined && candidates !== null) || findObject(promptFeedback) !== undefined,
});
