import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { Tongue } from './tongue.ts';

const file = 'https://generativelanguage.googleapis.com/v1beta/files/abc-123';

export const geminiTongue: Tongue = {
  id: 'gemini',
  dialect: 'gemini',
  home: 'google',
  file,
  path: '/v1beta/models/gemini-3-pro-preview:generateContent',
  caches: false,
  keepsSignatures: true,
  showsThoughts: true,
  isStrict: true,
  finishes: { calls: 'STOP', stop: 'STOP' },
  begin({ system, tools }) {
    const contents: JsonObject[] = [];
    return {
      ask({ results, user }) {
        const isFirst = contents.length === 0;
        if (results.length > 0)
          contents.push({
            role: 'user',
            parts: results.map(({ id, name, text }) => ({
              functionResponse: { id, name, response: { output: text } },
            })),
          });
        if (user !== undefined)
          contents.push({
            role: 'user',
            parts: [...(isFirst ? [{ fileData: { fileUri: file, mimeType: 'text/plain' } }] : []), { text: user }],
          });
        return {
          systemInstruction: { parts: [{ text: system }] },
          generationConfig: { maxOutputTokens: 4000, thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' } },
          tools: [
            {
              functionDeclarations: tools.map(({ name, description, schema }) => ({
                name,
                description,
                parametersJsonSchema: schema,
              })),
            },
          ],
          contents,
        };
      },
      hear({ candidates }) {
        const [{ content = {}, finishReason } = {}] = toObjects(candidates);
        contents.push(findObject(content) ?? {});
        const parts = toObjects(findObject(content)?.parts);
        const toTexts = (isThought: boolean): string =>
          parts
            .filter(({ thought }) => (thought === true) === isThought)
            .map(({ text }) => findText(text) ?? '')
            .join('');
        return {
          reasoning: toTexts(true),
          text: toTexts(false),
          calls: parts.flatMap(({ functionCall }) => {
            const call = findObject(functionCall);
            if (call === undefined) return [];
            return [
              { id: findText(call.id) ?? '', name: findText(call.name) ?? '', args: findObject(call.args) ?? {} },
            ];
          }),
          finish: findText(finishReason) ?? '',
        };
      },
    };
  },
};
