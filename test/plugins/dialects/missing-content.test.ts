import { expect, it } from 'vitest';
import { chatCodec, cohereCodec, messagesCodec, requestVia, responsesCodec } from './support/codecs.ts';

const misspelt = (role: string) => ({ role, contents: 'How long is this?' });

it.each([
  ['chat', chatCodec, 'messages', ['user', 'system', 'developer']],
  ['messages', messagesCodec, 'messages', ['user', 'assistant', 'system']],
  ['cohere', cohereCodec, 'messages', ['user', 'system']],
  ['responses', responsesCodec, 'input', ['user', 'assistant', 'system', 'developer']],
] as const)('rejects a %s message whose content is misspelt instead of sending it empty', (_, codec, list, roles) => {
  const upstream = codec === chatCodec ? messagesCodec : chatCodec;
  const hello = { role: 'user', content: 'Hello.' };
  for (const role of roles)
    expect(() => requestVia(codec, upstream, { model: 'm', [list]: [hello, misspelt(role)] })).toThrow(
      `${list}[1].content is missing.`,
    );
});
