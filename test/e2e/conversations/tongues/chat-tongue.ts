import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { Tongue } from './tongue.ts';

const file = 'file-AbCdEf0123456789';

/** A strict client gets the members of OpenAI's own answers, and no others. */
export const chatTongue = (isStrict: boolean): Tongue => ({
  id: isStrict ? 'chat, strict' : 'chat',
  dialect: 'chat',
  home: 'openai',
  file,
  path: '/v1/chat/completions',
  caches: false,
  keepsSignatures: !isStrict,
  showsThoughts: !isStrict,
  isStrict,
  finishes: { calls: 'tool_calls', stop: 'stop' },
  begin({ system, tools }) {
    const messages: JsonObject[] = [{ role: 'system', content: system }];
    return {
      ask({ results, user }) {
        const isFirst = messages.length === 1;
        for (const { id, text } of results) messages.push({ role: 'tool', tool_call_id: id, content: text });
        if (user !== undefined)
          messages.push({
            role: 'user',
            content: [...(isFirst ? [{ type: 'file', file: { file_id: file } }] : []), { type: 'text', text: user }],
          });
        return {
          model: 'gpt-5-mini',
          max_completion_tokens: 4000,
          reasoning_effort: 'medium',
          prompt_cache_key: 'the-agent',
          tools: tools.map(({ name, description, schema }) => ({
            type: 'function',
            function: { name, description, parameters: schema },
          })),
          messages,
        };
      },
      hear({ choices }) {
        const [{ message: wire, finish_reason: finish } = {}] = toObjects(choices);
        const message = findObject(wire) ?? {};
        messages.push(message);
        return {
          reasoning: toObjects(message.content_blocks)
            .map(({ thinking }) => findText(thinking) ?? '')
            .join(''),
          text: findText(message.content) ?? '',
          calls: toObjects(message.tool_calls).map(({ id, function: called }) => ({
            id: findText(id) ?? '',
            name: findText(findObject(called)?.name) ?? '',
            args: JSON.parse(findText(findObject(called)?.arguments) ?? ''),
          })),
          // A client that is not strict gets the provider's own value.
          finish: isStrict
            ? (findText(finish) ?? '')
            : toObjects(message.tool_calls).length > 0
              ? 'tool_calls'
              : 'stop',
        };
      },
    };
  },
});
