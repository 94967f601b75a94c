import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { Tongue } from './tongue.ts';

const cachePoint = { cachePoint: { type: 'default' } } as const;
const file = 's3://acme-of-bedrock/report.pdf';

export const converseTongue: Tongue = {
  id: 'converse',
  dialect: 'converse',
  home: 'bedrock',
  file,
  path: '/model/us.anthropic.claude-sonnet-4-5-20250929-v1:0/converse',
  caches: true,
  keepsSignatures: true,
  showsThoughts: true,
  isStrict: true,
  finishes: { calls: 'tool_use', stop: 'end_turn' },
  begin({ system, tools }) {
    const messages: JsonObject[] = [];
    return {
      ask({ results, user }) {
        const s3 = { document: { format: 'pdf', name: 'report', source: { s3Location: { uri: file } } } };
        messages.push({
          role: 'user',
          content: [
            ...(messages.length === 0 ? [s3] : []),
            ...results.map(({ id, text }) => ({ toolResult: { toolUseId: id, content: [{ text }] } })),
            ...(user === undefined ? [] : [{ text: user }, cachePoint]),
          ],
        });
        return {
          system: [{ text: system }, cachePoint],
          inferenceConfig: { maxTokens: 4000 },
          additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2000 } },
          toolConfig: {
            tools: [
              ...tools.map(({ name, description, schema }) => ({
                toolSpec: { name, description, inputSchema: { json: schema } },
              })),
              cachePoint,
            ],
          },
          messages,
        };
      },
      hear({ output, stopReason }) {
        const message = findObject(findObject(output)?.message) ?? {};
        messages.push(message);
        const blocks = toObjects(message.content);
        const readThought = (block: JsonObject): string =>
          findText(findObject(findObject(block.reasoningContent)?.reasoningText)?.text) ?? '';
        return {
          reasoning: blocks.map(readThought).join(''),
          text: blocks.map(({ text }) => findText(text) ?? '').join(''),
          calls: blocks.flatMap(({ toolUse }) => {
            const call = findObject(toolUse);
            if (call === undefined) return [];
            const [id, name] = [findText(call.toolUseId) ?? '', findText(call.name) ?? ''];
            return [{ id, name, args: findObject(call.input) ?? {} }];
          }),
          finish: findText(stopReason) ?? '',
        };
      },
    };
  },
};
