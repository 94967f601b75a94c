import { expect, it } from 'vitest';
import { lossesClientNotices } from '../../../../../runtime/engine/attempt/request/losses-client-notices.ts';
import type { Conversation } from '../../../../../schema/conversation/conversation.ts';

const conversation: Conversation = {
  system: [],
  turns: [],
  tools: [],
  sampling: { seed: 1 },
  stream: true,
  extensions: {},
};

it('names what the client requested, and nothing that was sent under another name', () => {
  const lost = [
    'sampling.seed',
    'sampling.maxTokens',
    'streamUsage',
    'turns[1].parts[0].bound',
    'turns[1].parts[0].reasoning',
  ];
  expect(lossesClientNotices(lost, conversation)).toEqual(['sampling.seed', 'turns[1].parts[0].reasoning']);
  expect(lossesClientNotices(lost, { ...conversation, streamUsage: true })).toContain('streamUsage');
});
