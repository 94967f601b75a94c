import type { JsonObject } from '../../../../schema/json/json.ts';
import { objectOf, objectsOf, textOf } from '../../../../schema/json/loose.ts';
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
        const message = objectOf(objectOf(output)?.message) ?? {};
        messages.push(message);
        const blocks = objectsOf(message.content);
        const thoughtOf = (block: JsonObject): string =>
          textOf(objectOf(objectOf(block.reasoningContent)?.reasoningText)?.text) ?? '';
        return {
          reasoning: blocks.map(thoughtOf).join(''),
          text: blocks.map(({ text }) => textOf(text) ?? '').join(''),
          calls: blocks.flatMap(({ toolUse }) => {
            const call = objectOf(toolUse);
            if (call === undefined) return [];
            const [id, name] = [textOf(call.toolUseId) ?? '', textOf(call.name) ?? ''];
            return [{ id, name, args: objectOf(call.input) ?? {} }];
          }),
          finish: textOf(stopReason) ?? '',
        };
      },
    };
  },
};
