import { callArguments } from '../wire/call-arguments.ts';
import { type CallLedger, createCallLedger } from '../wire/call-ledger.ts';
import type { Hearing } from '../wire/hearing.ts';
import { checkedProof, urlMedia } from '../wire/media.ts';
import type { Members } from '../wire/members.ts';
import { refusal } from '../wire/refusal.ts';

/** The data of a file requires its name: https://platform.openai.com/docs/guides/pdf-files?api-mode=responses */
const readFile = (part: Members): string => {
  part.only(['type', 'file_data', 'file_id', 'file_url', 'filename', 'detail']);
  for (const name of ['file_id', 'file_url']) if (part.has(name)) return part.text(name);
  if (!part.has('filename')) throw refusal(`${part.at}.filename`, 'is required beside file_data.');
  part.text('filename');
  return urlMedia(part.text('file_data'), /^application\/pdf$/, `${part.at}.file_data`);
};

const readImage = (part: Members): string => {
  part.only(['type', 'image_url', 'file_id', 'detail']);
  if (part.has('detail')) part.word('detail', ['auto', 'low', 'high', 'original']);
  if (part.has('file_id')) return part.text('file_id');
  return urlMedia(part.text('image_url'), /^image\/(?:png|jpeg|gif|webp)$/, `${part.at}.image_url`);
};

const hearInput = (part: Members, texts: string[], hearing: Hearing): void => {
  const type = part.word('type', ['input_text', 'input_image', 'input_file']);
  if (type === 'input_text') texts.push(part.only(['type', 'text', 'prompt_cache_breakpoint']).text('text'));
  else if (type === 'input_image') hearing.images.push(readImage(part));
  else hearing.documents.push(readFile(part));
};

const hearMessage = (item: Members, hearing: Hearing): void => {
  item.only(['type', 'id', 'role', 'content', 'status', 'phase']);
  const role = item.word('role', ['system', 'developer', 'user', 'assistant']);
  if (role === 'assistant') {
    if (item.isText('content')) return;
    for (const part of item.list('content'))
      part.text(part.word('type', ['output_text', 'refusal']) === 'refusal' ? 'refusal' : 'text');
    return;
  }
  const texts = role === 'user' ? hearing.user : hearing.system;
  if (item.isText('content')) texts.push(item.text('content'));
  else for (const part of item.list('content')) hearInput(part, texts, hearing);
};

const hearOutput = (item: Members, hearing: Hearing): string => {
  if (item.isText('output')) return item.text('output');
  const texts: string[] = [];
  for (const part of item.list('output')) hearInput(part, texts, hearing);
  return texts.join('');
};

const checkedCallId = (item: Members): string => {
  const id = item.text('call_id');
  if (!/^.{1,64}$/s.test(id)) throw refusal(`${item.at}.call_id`, 'must have 1 to 64 characters.');
  return id;
};

/** The prefix of an item's id depends on its kind: https://platform.openai.com/docs/api-reference/responses/create */
const checkItemId = (item: Members, prefix: string): void => {
  if (item.has('id') && !item.text('id').startsWith(prefix))
    throw refusal(`${item.at}.id`, `is "${item.text('id')}". Expected an ID that begins with '${prefix}'.`);
};

const hearItem = (item: Members, ledger: CallLedger, hearing: Hearing): void => {
  const type = item.has('type') ? item.text('type') : 'message';
  if (type === 'message') {
    ledger.settle(item.at);
    checkItemId(item, 'msg');
    hearMessage(item, hearing);
  } else if (type === 'function_call') {
    item.only(['type', 'id', 'call_id', 'name', 'arguments', 'status', 'namespace']);
    checkItemId(item, 'fc');
    const id = checkedCallId(item);
    ledger.call(id, item.at);
    const args = callArguments(item.text('arguments'), `${item.at}.arguments`);
    hearing.calls.push({ id, name: item.text('name'), args });
  } else if (type === 'function_call_output') {
    item.only(['type', 'id', 'call_id', 'output', 'status']);
    const id = checkedCallId(item);
    ledger.result(id, item.at);
    hearing.results.push({ id, text: hearOutput(item, hearing) });
  } else if (type === 'reasoning') {
    item.only(['type', 'id', 'summary', 'content', 'encrypted_content', 'status']);
    checkItemId(item, 'rs');
    for (const part of item.list('summary')) part.only(['type', 'text']).word('type', ['summary_text']);
    if (item.has('encrypted_content'))
      hearing.proofs.push(checkedProof(item.text('encrypted_content'), `${item.at}.encrypted_content`));
  } else throw refusal(`${item.at}.type`, `is "${type}", which is not supported here.`);
};

/** Reasoning must be followed by what it led to. */
const checkFollowed = (items: readonly Members[]): void => {
  for (const [at, item] of items.entries()) {
    if (!item.has('type') || item.text('type') !== 'reasoning') continue;
    const next = items[at + 1];
    const type = next?.has('type') === true ? next.text('type') : 'message';
    const isOutput = next !== undefined && (type !== 'message' || next.text('role') === 'assistant');
    if (!isOutput || type === 'function_call_output')
      throw refusal(item.at, "of type 'reasoning' was provided without its required following item.");
  }
};

/** Parses the items of the input in order. */
export const hearItems = (items: readonly Members[], hearing: Hearing): void => {
  const ledger = createCallLedger();
  for (const item of items) hearItem(item, ledger, hearing);
  ledger.settle('input');
  checkFollowed(items);
};
