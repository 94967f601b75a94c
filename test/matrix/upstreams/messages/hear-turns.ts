import { type CallLedger, createCallLedger } from '../wire/call-ledger.ts';
import type { Hearing } from '../wire/hearing.ts';
import { checkedProof } from '../wire/media.ts';
import type { Members } from '../wire/members.ts';
import { refusal } from '../wire/refusal.ts';
import type { ClaudeModel } from './claude-models.ts';
import { hearBlock, textBlocks } from './hear-blocks.ts';

const hearResult = (block: Members, hearing: Hearing): void => {
  block.only(['type', 'tool_use_id', 'content', 'is_error', 'cache_control']);
  const id = block.text('tool_use_id');
  if (!block.has('content') || block.isText('content')) {
    hearing.results.push({ id, text: block.has('content') ? block.text('content') : '' });
    return;
  }
  const texts = block.list('content').map((inner) => hearBlock(inner, hearing) ?? '');
  hearing.results.push({ id, text: texts.join('') });
};

const readBlocks = (message: Members): readonly Members[] => {
  const blocks = message.list('content');
  if (blocks.length === 0) throw refusal(`${message.at}.content`, 'must not be empty.');
  return blocks;
};

/** Results must come first, one for each call in the previous message. */
const hearUser = (message: Members, ledger: CallLedger, hearing: Hearing): void => {
  if (message.isText('content')) {
    if (message.text('content') === '') throw refusal(message.at, 'user messages must have non-empty content.');
    ledger.settle(message.at);
    hearing.user.push(message.text('content'));
    return;
  }
  let isPastResults = false;
  for (const block of readBlocks(message)) {
    if (block.text('type') === 'tool_result') {
      if (isPastResults) throw refusal(block.at, 'results must come before other content.');
      ledger.result(block.text('tool_use_id'), block.at);
      hearResult(block, hearing);
      continue;
    }
    isPastResults = true;
    const text = hearBlock(block, hearing);
    if (text !== undefined) hearing.user.push(text);
  }
  ledger.settle(message.at);
};

const hearCall = (block: Members, ledger: CallLedger, hearing: Hearing): void => {
  block.only(['type', 'id', 'name', 'input', 'cache_control', 'caller']);
  const id = block.text('id');
  if (!/^[\w-]+$/.test(id)) throw refusal(`${block.at}.id`, `is "${id}". It must match ^[a-zA-Z0-9_-]+$.`);
  ledger.call(id, block.at);
  hearing.calls.push({ id, name: block.text('name'), args: block.json('input') });
};

const hearAssistant = (message: Members, ledger: CallLedger, hearing: Hearing): void => {
  if (message.isText('content')) return;
  for (const block of readBlocks(message)) {
    switch (block.word('type', ['text', 'thinking', 'redacted_thinking', 'tool_use'])) {
      case 'tool_use':
        hearCall(block, ledger, hearing);
        break;
      case 'thinking':
        block.only(['type', 'thinking', 'signature']).text('thinking');
        hearing.proofs.push(checkedProof(block.text('signature'), `${block.at}.signature`));
        break;
      case 'redacted_thinking':
        hearing.proofs.push(checkedProof(block.only(['type', 'data']).text('data'), `${block.at}.data`));
        break;
      default:
        if (block.text('text').trim() === '') throw refusal(block.at, 'must contain non-whitespace text.');
    }
  }
};

/** An instruction must follow a user message. */
const hearInstruction = (message: Members, before: string | undefined, hearing: Hearing): void => {
  if (before !== 'user') throw refusal(`${message.at}.role`, 'system messages must follow a user message.');
  // Claude Code sets the effort for the turn here, under the beta "per-turn-control".
  message.only(['role', 'content', 'output_config']);
  hearing.system.push(...textBlocks(message, 'content'));
};

/** Parses the messages. The first must be the user's. Consecutive messages of the same side count as one. */
export const hearTurns = (
  messages: readonly Members[],
  { hasInstructions }: Pick<ClaudeModel, 'hasInstructions'>,
  hearing: Hearing,
): void => {
  const roles = ['user', 'assistant', ...(hasInstructions ? ['system'] : [])];
  let before: string | undefined;
  const ledger = createCallLedger();
  if (messages.length === 0) throw refusal('messages', 'at least one message is required.');
  for (const [at, message] of messages.entries()) {
    const role = message.word('role', roles);
    if (role === 'system') hearInstruction(message, before, hearing);
    else message.only(['role', 'content']);
    if (at === 0 && role !== 'user') throw refusal('messages', 'the first message must use the "user" role.');
    before = role;
    if (role === 'user') hearUser(message, ledger, hearing);
    else if (role === 'assistant') {
      ledger.settle(message.at);
      hearAssistant(message, ledger, hearing);
    }
  }
  ledger.settle('messages');
};
