import type { Hearing } from '../wire/hearing.ts';
import { checkedProof } from '../wire/media.ts';
import { type Members, onlyMember } from '../wire/members.ts';
import { refusal } from '../wire/refusal.ts';
import { hearDocument, hearImage } from './hear-media.ts';

const spoken = (block: Members): string => {
  const text = block.text('text');
  if (text.trim() === '') throw refusal(`${block.at}.text`, 'is blank. Add text to the text field, and try again.');
  return text;
};

/** Reads the id of a call: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html */
const toolUseId = (block: Members): string => {
  const id = block.text('toolUseId');
  if (!/^[\w-]{1,64}$/.test(id))
    throw refusal(`${block.at}.toolUseId`, `is "${id}". It must match [a-zA-Z0-9_-]{1,64}.`);
  return id;
};

const hearResult = (result: Members, hearing: Hearing): void => {
  result.only(['toolUseId', 'content', 'status', 'type']);
  if (result.has('status')) result.word('status', ['success', 'error']);
  const texts = result.list('content').map((block) => {
    switch (onlyMember(block, ['text', 'json', 'image', 'document', 'video', 'searchResult'])) {
      case 'text':
        return block.text('text');
      case 'json':
        return JSON.stringify(block.value('json'));
      case 'image':
        hearing.images.push(hearImage(block.object('image')));
        return '';
      case 'document':
        hearing.documents.push(hearDocument(block.object('document')));
        return '';
      default:
        return '';
    }
  });
  hearing.results.push({ id: toolUseId(result), text: texts.join('') });
};

/** Parses a block of a user's message. Returns its kind. */
export const hearUserBlock = (block: Members, hearing: Hearing): string => {
  const kinds = [
    'text',
    'image',
    'document',
    'video',
    'audio',
    'toolResult',
    'guardContent',
    'cachePoint',
    'searchResult',
  ];
  const kind = onlyMember(block, kinds);
  if (kind === 'text') hearing.user.push(spoken(block));
  else if (kind === 'image') hearing.images.push(hearImage(block.object('image')));
  else if (kind === 'document') hearing.documents.push(hearDocument(block.object('document')));
  else if (kind === 'toolResult') hearResult(block.object('toolResult'), hearing);
  return kind;
};

const hearReasoning = (content: Members, { proofs }: Hearing): void => {
  if (onlyMember(content, ['reasoningText', 'redactedContent']) === 'redactedContent') {
    proofs.push(checkedProof(content.text('redactedContent'), `${content.at}.redactedContent`));
    return;
  }
  const reasoning = content.object('reasoningText').only(['text', 'signature']);
  reasoning.text('text');
  if (reasoning.has('signature')) proofs.push(checkedProof(reasoning.text('signature'), `${reasoning.at}.signature`));
};

/** Parses a block of the model's message. */
export const hearModelBlock = (block: Members, hearing: Hearing): void => {
  switch (onlyMember(block, ['text', 'toolUse', 'reasoningContent', 'citationsContent', 'cachePoint', 'image'])) {
    case 'text':
      spoken(block);
      break;
    case 'reasoningContent':
      hearReasoning(block.object('reasoningContent'), hearing);
      break;
    case 'toolUse': {
      const call = block.object('toolUse').only(['toolUseId', 'name', 'input', 'type']);
      hearing.calls.push({ id: toolUseId(call), name: call.text('name'), args: call.json('input') });
      break;
    }
    default:
      break;
  }
};
