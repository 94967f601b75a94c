import { callArguments } from '../wire/call-arguments.ts';
import { type CallLedger, createCallLedger } from '../wire/call-ledger.ts';
import type { Hearing } from '../wire/hearing.ts';
import { urlMedia } from '../wire/media.ts';
import type { Members } from '../wire/members.ts';
import { refusal } from '../wire/refusal.ts';

const hearPart = (part: Members, texts: string[], hearing: Hearing): void => {
  if (part.word('type', ['text', 'image_url']) === 'text') {
    texts.push(part.only(['type', 'text']).text('text'));
    return;
  }
  const image = part.only(['type', 'image_url']).object('image_url').only(['url', 'detail']);
  if (image.has('detail')) image.word('detail', ['auto', 'low', 'high']);
  hearing.images.push(urlMedia(image.text('url'), /^image\/(?:png|jpeg|gif|webp)$/, image.at));
};

const hearText = (message: Members, texts: string[], hearing: Hearing): void => {
  message.only(['role', 'content']);
  if (message.isText('content')) texts.push(message.text('content'));
  else for (const part of message.list('content')) hearPart(part, texts, hearing);
};

/** A result is a text, or a list of texts and documents. */
const resultText = (message: Members): string => {
  if (message.isText('content')) return message.text('content');
  const texts = message.list('content').map((part) => {
    if (part.word('type', ['text', 'document']) === 'text') return part.only(['type', 'text']).text('text');
    const document = part.only(['type', 'document']).object('document').only(['data', 'id']);
    return document.isText('data') ? document.text('data') : JSON.stringify(document.json('data'));
  });
  if (texts.length === 0) throw refusal(`${message.at}.content`, 'must not be empty.');
  return texts.join('');
};

const hearAssistant = (message: Members, ledger: CallLedger, hearing: Hearing): void => {
  message.only(['role', 'content', 'tool_calls', 'tool_plan', 'citations']);
  if (message.has('content') && !message.isText('content'))
    for (const part of message.list('content'))
      part.only(['type', 'text', 'thinking']).text(part.word('type', ['text', 'thinking']));
  if (!message.has('tool_calls')) {
    if (!message.has('content')) throw refusal(message.at, 'must have content or tool_calls.');
    return;
  }
  for (const call of message.list('tool_calls')) {
    call.only(['id', 'type', 'function']).word('type', ['function']);
    const called = call.object('function').only(['name', 'arguments']);
    const id = call.text('id');
    ledger.call(id, call.at);
    const args = callArguments(called.text('arguments'), `${called.at}.arguments`);
    hearing.calls.push({ id, name: called.text('name'), args });
  }
};

/** Parses the messages: https://docs.cohere.com/reference/chat#request.body.messages */
export const hearMessages = (messages: readonly Members[], hearing: Hearing): void => {
  if (messages.length === 0) throw refusal('messages', 'must have at least one message.');
  const ledger = createCallLedger();
  for (const message of messages) {
    const role = message.word('role', ['system', 'user', 'assistant', 'tool']);
    if (role === 'tool') {
      const id = message.only(['role', 'tool_call_id', 'content']).text('tool_call_id');
      ledger.result(id, message.at);
      hearing.results.push({ id, text: resultText(message) });
      continue;
    }
    ledger.settle(message.at);
    if (role === 'assistant') hearAssistant(message, ledger, hearing);
    else hearText(message, role === 'user' ? hearing.user : hearing.system, hearing);
  }
  ledger.settle('messages');
};
