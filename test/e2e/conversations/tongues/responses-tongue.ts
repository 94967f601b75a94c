import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import type { Tongue } from './tongue.ts';

const file = 'file-AbCdEf0123456789';

export const responsesTongue: Tongue = {
  id: 'responses',
  dialect: 'responses',
  home: 'openai',
  file,
  path: '/v1/responses',
  caches: false,
  keepsSignatures: true,
  showsThoughts: true,
  isStrict: true,
  finishes: { calls: 'completed', stop: 'completed' },
  begin({ system, tools }) {
    const input: JsonObject[] = [];
    return {
      ask({ results, user }) {
        const isFirst = input.length === 0;
        for (const { id, text } of results) input.push({ type: 'function_call_output', call_id: id, output: text });
        if (user !== undefined)
          input.push({
            role: 'user',
            content: [...(isFirst ? [{ type: 'input_file', file_id: file }] : []), { type: 'input_text', text: user }],
          });
        return {
          model: 'gpt-5-mini',
          instructions: system,
          max_output_tokens: 4000,
          store: false,
          include: ['reasoning.encrypted_content'],
          reasoning: { effort: 'medium', summary: 'auto' },
          prompt_cache_key: 'the-agent',
          tools: tools.map(({ name, description, schema }) => ({
            type: 'function',
            name,
            description,
            parameters: schema,
            strict: false,
          })),
          input,
        };
      },
      hear({ output, status }) {
        const items = toObjects(output);
        input.push(...items);
        const toTexts = (type: string, members: readonly string[]): string =>
          items
            .filter((item) => item.type === type)
            .flatMap((item) => members.flatMap((member) => toObjects(item[member])))
            .map(({ text }) => findText(text) ?? '')
            .join('');
        return {
          reasoning: toTexts('reasoning', ['content', 'summary']),
          text: toTexts('message', ['content']),
          calls: items
            .filter(({ type }) => type === 'function_call')
            .map((item) => ({
              id: findText(item.call_id) ?? '',
              name: findText(item.name) ?? '',
              args: JSON.parse(findText(item.arguments) ?? ''),
            })),
          finish: findText(status) ?? '',
        };
      },
    };
  },
};
