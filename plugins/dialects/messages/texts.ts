import { type ConversationTexts, conversationTexts } from '../wire/conversation-texts.ts';
import { speakerByRole } from '../wire/judged-from.ts';
import { answer } from './members/answer.ts';
import { frame } from './members/frame.ts';
import { requestMembers, turn } from './members/request.ts';

export const judgedTexts: ConversationTexts = conversationTexts({
  members: requestMembers,
  turns: 'messages',
  turn,
  speakerOf: speakerByRole('assistant'),
  answer,
  frame,
  isAnswer: ({ content }) => content !== undefined && content !== null,
});
