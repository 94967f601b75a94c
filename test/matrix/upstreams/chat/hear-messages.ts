import type { Call } from '../../scenario.ts';
import { callArguments } from '../wire/call-arguments.ts';
import { type CallLedger, createCallLedger } from '../wire/call-ledger.ts';
import type { Hearing } from '../wire/hearing.ts';
import type { Members } from '../wire/members.ts';
import { refusal } from '../wire/refusal.ts';
import type { ChatVendor } from './chat-vendor.ts';
import { hearUser, textContent } from './hear-content.ts';

const checkedId = (id: string, vendor: ChatVendor, at: string): string => {
  if (!vendor.callIds.test(id)) throw refusal(at, `is "${id}", which cannot be the id of a call.`);
  return id;
};

interface Listener {
  readonly vendor: ChatVendor;
  readonly hearing: Hearing;
  readonly ledger: CallLedger;
}

/** The types of tools and of calls. */
export const toolTypes = ({ functionsOnly }: ChatVendor): readonly string[] =>
  functionsOnly ? ['function'] : ['function', 'custom'];

const hearCalled = (call: Members, vendor: ChatVendor): Omit<Call, 'id'> => {
  if (call.word('type', toolTypes(vendor)) === 'custom') {
    const custom = call.only(['id', 'type', 'custom']).object('custom').only(['name', 'input']);
    return { name: custom.text('name'), args: { input: custom.text('input') }, isCustom: true };
  }
  const called = call.only(vendor.callMembers).object('function').only(['name', 'arguments']);
  return { name: called.text('name'), args: callArguments(called.text('arguments'), `${called.at}.arguments`) };
};

const hearAssistant = (message: Members, { vendor, hearing, ledger }: Listener): void => {
  message.only(vendor.assistantMembers);
  if (message.has('content') && !message.isText('content'))
    for (const part of message.list('content')) part.word('type', ['text', 'refusal', 'thinking']);
  if (!message.has('tool_calls')) {
    if (!message.has('content') && !message.has('refusal'))
      throw refusal(`${message.at}.content`, 'is required without tool_calls.');
    return;
  }
  const calls = message.list('tool_calls');
  if (calls.length === 0) throw refusal(`${message.at}.tool_calls`, 'must not be empty.');
  for (const call of calls) {
    const id = checkedId(call.text('id'), vendor, `${call.at}.id`);
    ledger.call(id, call.at);
    hearing.calls.push({ id, ...hearCalled(call, vendor) });
  }
};

const hear = (message: Members, listener: Listener): void => {
  const { vendor, hearing, ledger } = listener;
  const role = message.word('role', ['system', 'developer', 'user', 'assistant', 'tool']);
  if (role === 'tool') {
    message.only(['role', 'content', 'tool_call_id', 'name']);
    const id = checkedId(message.text('tool_call_id'), vendor, `${message.at}.tool_call_id`);
    ledger.result(id, message.at);
    hearing.results.push({ id, text: textContent(message).join('') });
    return;
  }
  ledger.settle(message.at);
  if (role === 'assistant') hearAssistant(message, listener);
  else if (role === 'user') hearUser(message.only(['role', 'content', 'name']), vendor.userParts, hearing);
  else hearing.system.push(...textContent(message.only(['role', 'content', 'name'])));
};

/** Parses the messages in order: the results of tools must immediately follow their calls, one for each call. */
export const hearMessages = (messages: readonly Members[], vendor: ChatVendor, hearing: Hearing): void => {
  if (messages.length === 0) throw refusal('messages', 'must not be empty.');
  const ledger = createCallLedger();
  for (const message of messages) hear(message, { vendor, hearing, ledger });
  ledger.settle('messages');
};
