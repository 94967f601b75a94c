import { type ConversationTexts, conversationTexts } from '../wire/conversation-texts.ts';
import { speakerByRole } from '../wire/judged-from.ts';
import { answer, frame } from './answer-members.ts';
import { requestMembers, turn } from './request-members.ts';

export const judgedTexts: ConversationTexts = conversationTexts({
  members: requestMembers,
  turns: 'messages',
  turn,
  speakerOf: speakerByRole('assistant'),
  answer,
  frame,
  // An error of the API has a message too, which is a text.
  isAnswer: ({ message }) => typeof message === 'object' && message !== null,
});
