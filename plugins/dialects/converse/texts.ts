import { objectOf } from '../../../schema/json/loose.ts';
import { type ConversationTexts, conversationTexts } from '../wire/conversation-texts.ts';
import { speakerByRole } from '../wire/judged-from.ts';
import { answer } from './members/answer.ts';
import { anyMessage } from './members/blocks.ts';
import { frame } from './members/frame.ts';
import { requestMembers } from './members/request.ts';

export const judgedTexts: ConversationTexts = conversationTexts({
  members: requestMembers,
  turns: 'messages',
  turn: anyMessage,
  speakerOf: speakerByRole('assistant'),
  answer,
  frame,
  isAnswer: ({ output }) => objectOf(output) !== undefined,
  namesFrames: true,
});
