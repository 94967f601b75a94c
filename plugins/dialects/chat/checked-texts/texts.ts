import { findItems } from '../../../../schema/json/loose.ts';
import { type ConversationTexts, conversationTexts } from '../../shared/checked-texts/conversation-texts.ts';
import { speakerByRole } from '../../shared/checked-texts/first-judged-turn.ts';
import { answer, frame } from './answer.ts';
import { turn } from './message.ts';
import { requestMembers } from './request.ts';

export const judgedTexts: ConversationTexts = conversationTexts({
  members: requestMembers,
  turns: 'messages',
  turn,
  readSpeaker: speakerByRole('assistant'),
  answer,
  frame,
  isAnswer: ({ choices }) => findItems(choices) !== undefined,
  hasChoices: true,
});
