import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { Tongue } from './tongue.ts';

const cached = { cache_control: { type: 'ephemeral' } } as const;
const file = 'file_011CNha8iCJcU1wXNR6q4V8w';

export const messagesTongue: Tongue = {
  id: 'messages',
  dialect: 'messages',
  home: 'anthropic',
  file,
  path: '/v1/messages',
  caches: true,
  keepsSignatures: true,
  showsThoughts: true,
  isStrict: true,
  finishes: { calls: 'tool_use', stop: 'end_turn' },
  begin({ system, tools }) {
    const messages: JsonObject[] = [];
    return {
      ask({ results, user }) {
        const first = messages.length === 0 ? [{ type: 'document', source: { type: 'file', file_id: file } }] : [];
        messages.push({
          role: 'user',
          content: [
            ...first,
            ...results.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text })),
            ...(user === undefined ? [] : [{ type: 'text', text: user, ...cached }]),
          ],
        });
        return {
          model: 'claude-opus-4-6',
          max_tokens: 4000,
          thinking: { type: 'adaptive' },
          system: [{ type: 'text', text: system, ...cached }],
          tools: tools.map(({ name, description, schema }, at) => ({
            name,
            description,
            input_schema: schema,
            ...(at === tools.length - 1 ? cached : {}),
          })),
          messages,
        };
      },
      hear({ content, stop_reason: finish = null }) {
        messages.push({ role: 'assistant', content: content ?? [] });
        const blocks = toObjects(content);
        return {
          reasoning: blocks.map(({ thinking }) => findText(thinking) ?? '').join(''),
          text: blocks.map(({ text }) => findText(text) ?? '').join(''),
          calls: blocks
            .filter(({ type }) => type === 'tool_use')
            .map(({ id, name, input }) => ({
              id: findText(id) ?? '',
              name: findText(name) ?? '',
              args: findObject(input) ?? {},
            })),
          finish: findText(finish) ?? '',
        };
      },
    };
  },
};
