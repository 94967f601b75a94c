import type { JsonObject } from '../../../../schema/json/json.ts';
import { objectsOf, textOf } from '../../../../schema/json/loose.ts';
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
        const items = objectsOf(output);
        input.push(...items);
        const textsOf = (type: string, members: readonly string[]): string =>
          items
            .filter((item) => item.type === type)
            .flatMap((item) => members.flatMap((member) => objectsOf(item[member])))
            .map(({ text }) => textOf(text) ?? '')
            .join('');
        return {
          reasoning: textsOf('reasoning', ['content', 'summary']),
          text: textsOf('message', ['content']),
          calls: items
            .filter(({ type }) => type === 'function_call')
            .map((item) => ({
              id: textOf(item.call_id) ?? '',
              name: textOf(item.name) ?? '',
              args: JSON.parse(textOf(item.arguments) ?? ''),
            })),
          finish: textOf(status) ?? '',
        };
      },
    };
  },
};
