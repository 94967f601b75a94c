import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { word } from './judge.ts';

export const said: string = `This is ${word}.`;

/** An answer of Gemini with one candidate. */
export const google = (parts: Json, more: JsonObject = {}, whole: JsonObject = {}): JsonObject => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP', ...more }],
  ...whole,
});

/** The trace of Bedrock's guardrail, which quotes the output of the model. */
export const trace: JsonObject = {
  guardrail: {
    modelOutput: [said],
    inputAssessment: {},
    actionReason: 'No action.',
  },
};
/** The trace of a guardrail that quotes what it found. */
export const quoting: JsonObject = {
  guardrail: {
    outputAssessments: {
      g1: [{ wordPolicy: { customWords: [{ match: word, action: 'BLOCKED', detected: true }], managedWordLists: [] } }],
    },
  },
};

/** A citation of Cohere. */
export const cited = (source: JsonObject): JsonObject => ({ start: 0, end: 2, text: 'Hi', sources: [source] });
export const ofTool: JsonObject = cited({ type: 'tool', id: 't:0', tool_output: { weather: said } });
