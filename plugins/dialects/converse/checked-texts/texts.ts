import { findObject } from '../../../../schema/json/loose.ts';
import { type ConversationTexts, conversationTexts } from '../../shared/checked-texts/conversation-texts.ts';
import { speakerByRole } from '../../shared/checked-texts/first-judged-turn.ts';
import { answer } from './answer.ts';
import { anyMessage } from './blocks.ts';
import { frame } from './frame.ts';
import { requestMembers } from './request.ts';

export const judgedTexts: ConversationTexts = conversationTexts({
  members: requestMembers,
  turns: 'messages',
  turn: anyMessage,
  readSpeaker: speakerByRole('assistant'),
  answer,
  frame,
  isAnswer: ({ output }) => findObject(output) !== undefined,
  namesFrames: true,
});
