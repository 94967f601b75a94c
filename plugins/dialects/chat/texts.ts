import { itemsOf } from '../../../schema/json/loose.ts';
import { type ConversationTexts, conversationTexts } from '../wire/conversation-texts.ts';
import { speakerByRole } from '../wire/judged-from.ts';
import { answer, frame } from './answer-members.ts';
import { turn } from './message-members.ts';
import { requestMembers } from './request-members.ts';

export const judgedTexts: ConversationTexts = conversationTexts({
  members: requestMembers,
  turns: 'messages',
  turn,
  speakerOf: speakerByRole('assistant'),
  answer,
  frame,
  isAnswer: ({ choices }) => itemsOf(choices) !== undefined,
  hasChoices: true,
});
