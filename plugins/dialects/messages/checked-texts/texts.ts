import { type ConversationTexts, conversationTexts } from '../../shared/checked-texts/conversation-texts.ts';
import { speakerByRole } from '../../shared/checked-texts/first-judged-turn.ts';
import { answer } from './answer.ts';
import { frame } from './frame.ts';
import { requestMembers, turn } from './request.ts';

export const judgedTexts: ConversationTexts = conversationTexts({
  members: requestMembers,
  turns: 'messages',
  turn,
  readSpeaker: speakerByRole('assistant'),
  answer,
  frame,
  isAnswer: ({ content }) => content !== undefined && content !== null,
});
