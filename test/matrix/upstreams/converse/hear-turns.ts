import { type CallLedger, createCallLedger } from '../wire/call-ledger.ts';
import type { Hearing } from '../wire/hearing.ts';
import type { Members } from '../wire/members.ts';
import { refusal } from '../wire/refusal.ts';
import { hearModelBlock, hearUserBlock } from './hear-blocks.ts';

const hearUser = (message: Members, ledger: CallLedger, hearing: Hearing): void => {
  for (const block of message.list('content'))
    if (block.has('toolResult')) ledger.result(block.object('toolResult').text('toolUseId'), block.at);
  ledger.settle(message.at);
  const kinds = message.list('content').map((block) => hearUserBlock(block, hearing));
  if (kinds.includes('document') && !kinds.includes('text'))
    throw refusal(message.at, 'a message with a document must also have a text.');
};

const hearAssistant = (message: Members, ledger: CallLedger, hearing: Hearing): void => {
  for (const block of message.list('content')) {
    if (block.has('toolUse')) ledger.call(block.object('toolUse').text('toolUseId'), block.at);
    hearModelBlock(block, hearing);
  }
};

/** Checks the names of documents, which must be unique in a request. */
const checkNames = (messages: readonly Members[]): void => {
  const names = messages.flatMap((message) =>
    message.list('content').flatMap((block) => (block.has('document') ? [block.object('document').text('name')] : [])),
  );
  if (new Set(names).size < names.length) throw refusal('messages', 'the names of documents must be unique.');
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-call.html: user and model messages alternate. */
export const hearTurns = (messages: readonly Members[], hearing: Hearing): void => {
  const ledger = createCallLedger();
  for (const [at, message] of messages.entries()) {
    const role = message.only(['role', 'content']).word('role', ['user', 'assistant']);
    if (at === 0 && role !== 'user') throw refusal(message.at, 'a conversation must start with a user message.');
    if (role !== (at % 2 === 0 ? 'user' : 'assistant'))
      throw refusal(message.at, 'a conversation must alternate between user and assistant roles.');
    if (message.list('content').length === 0) throw refusal(`${message.at}.content`, 'is empty.');
    (role === 'user' ? hearUser : hearAssistant)(message, ledger, hearing);
  }
  ledger.settle('messages');
  if (messages.length % 2 === 0) throw refusal('messages', 'a conversation must end with a user message.');
  checkNames(messages);
};
