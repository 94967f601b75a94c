import { isJsonObject } from '../../../../schema/json/json.ts';
import { findItems } from '../../../../schema/json/loose.ts';
import { type ConversationTexts, conversationTexts } from '../../shared/checked-texts/conversation-texts.ts';
import { readSpeaker } from '../parts/item-types.ts';
import { answer } from './answer.ts';
import { frame } from './frame.ts';
import { item } from './items.ts';
import { requestMembers } from './request.ts';

export const judgedTexts: ConversationTexts = conversationTexts({
  members: requestMembers,
  turns: 'input',
  turn: item,
  readSpeaker,
  // Whether a request may lack turns, because it has a prompt that the provider stores.
  mayLackTurns: ({ prompt }) => isJsonObject(prompt),
  answer,
  frame,
  isAnswer: ({ output }) => findItems(output) !== undefined,
});
