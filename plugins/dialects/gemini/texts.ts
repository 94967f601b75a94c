import { objectOf } from '../../../schema/json/loose.ts';
import { type ConversationTexts, conversationTexts } from '../wire/conversation-texts.ts';
import { speakerByRole } from '../wire/judged-from.ts';
import { answer, frame } from './members/answer.ts';
import { requestMembers, turn } from './members/request.ts';

export const judgedTexts: ConversationTexts = conversationTexts({
  members: requestMembers,
  turns: 'contents',
  turn,
  speakerOf: speakerByRole('model'),
  answer,
  frame,
  // A refused prompt is an answer without any text of its own.
  isAnswer: ({ candidates, promptFeedback }) =>
    (candidates !== undefined && candidates !== null) || objectOf(promptFeedback) !== undefined,
});
