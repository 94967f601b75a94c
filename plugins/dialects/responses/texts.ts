import { isJsonObject } from '../../../schema/json/json.ts';
import { itemsOf } from '../../../schema/json/loose.ts';
import { type ConversationTexts, conversationTexts } from '../wire/conversation-texts.ts';
import { answer } from './answer-members.ts';
import { frame } from './frame-members.ts';
import { item } from './item-members.ts';
import { speakerOf } from './item-types.ts';
import { requestMembers } from './request-members.ts';

export const judgedTexts: ConversationTexts = conversationTexts({
  members: requestMembers,
  turns: 'input',
  turn: item,
  speakerOf,
  // A prompt that the provider keeps may be all that a request has.
  mayLackTurns: ({ prompt }) => isJsonObject(prompt),
  answer,
  frame,
  isAnswer: ({ output }) => itemsOf(output) !== undefined,
});
