import { type ConversationTexts, conversationTexts } from '../../shared/checked-texts/conversation-texts.ts';
import { speakerByRole } from '../../shared/checked-texts/first-judged-turn.ts';
import { answer, frame } from './answer.ts';
import { requestMembers, turn } from './request.ts';

export const judgedTexts: ConversationTexts = conversationTexts({
  members: requestMembers,
  turns: 'messages',
  turn,
  readSpeaker: speakerByRole('assistant'),
  answer,
  frame,
  // Whether a body is an answer. An error of the API has a member `message` too, but it is a text.
  isAnswer: ({ message }) => typeof message === 'object' && message !== null,
});
