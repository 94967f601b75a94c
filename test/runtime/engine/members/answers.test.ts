import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { type dialects, statusOfAnswer } from './judge.ts';
import { cited, google, ofTool, quoting, said, trace } from './samples.ts';

type Id = keyof typeof dialects;

const claude = (content: readonly Json[], more: JsonObject = {}): JsonObject => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Hi' }, ...content],
  stop_reason: 'end_turn',
  ...more,
});
const bedrock = (content: readonly Json[], more: JsonObject = {}): JsonObject => ({
  output: { message: { role: 'assistant', content: [{ text: 'Hi' }, ...content] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  metrics: { latencyMs: 1 },
  ...more,
});
const command = (message: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: 'c',
  finish_reason: 'COMPLETE',
  message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }], ...message },
  ...more,
});

/** Answers that contain the word in places that checks could miss. */
const answers: Readonly<Record<Id, Readonly<Record<string, JsonObject>>>> = {
  messages: {
    'in an unknown member': claude([], { notes: { words: [said] } }),
    'in a block of an unknown type': claude([{ type: 'note', note: said }]),
    'in a member of a text': claude([{ type: 'text', text: 'Hi', note: said }]),
    'in a summary of the conversation': claude([{ type: 'compaction', content: said }]),
    'in the output of code': claude([
      {
        type: 'bash_code_execution_tool_result',
        tool_use_id: 't',
        content: { type: 'bash_code_execution_result', stdout: said, stderr: '', return_code: 0, content: [] },
      },
    ]),
    'in a citation of an unknown kind': claude([
      { type: 'text', text: 'Hi', citations: [{ type: 'audio_location', transcript: said }] },
    ]),
    'in the details of why it ended': claude([], {
      stop_details: { type: 'refusal', category: said, explanation: 'No' },
    }),
    'in content that is an object': { ...claude([]), content: { type: 'text', text: said } },
  },
  gemini: {
    'in parts that are a single object': google({ text: said }),
    'in the transcript of a recording': google([{ text: 'Hi' }, { audioTranscription: { text: said } }]),
    'in the metadata of a part': google([{ text: 'Hi', partMetadata: { note: said } }]),
    'in a review of a place': google([{ text: 'Hi' }], {
      groundingMetadata: {
        groundingChunks: [{ maps: { title: 'T', placeAnswerSources: { reviewSnippets: [{ review: said }] } } }],
      },
    }),
    'in a search for images': google([{ text: 'Hi' }], { groundingMetadata: { imageSearchQueries: [said] } }),
    'in the status of the model': google([{ text: 'Hi' }], {}, { modelStatus: { message: said } }),
    'in a candidate that is a single object': { candidates: { content: { parts: [{ text: said }] } } },
    'in an unknown member': google([{ text: 'Hi' }], {}, { notes: [said] }),
    'in a member of a candidate': google([{ text: 'Hi' }], { notes: { words: said } }),
    'in the feedback beside candidates': google([{ text: 'Hi' }], {}, { promptFeedback: { blockReasonMessage: said } }),
  },
  converse: {
    "in the trace of Bedrock's guardrail": bedrock([], { trace }),
    'in the words that the guardrail found': bedrock([], { trace: quoting }),
    'in an additional field of the model': bedrock([], { additionalModelResponseFields: { notes: said } }),
    'in the failure of an image': bedrock([{ image: { format: 'png', error: { message: said } } }]),
    'in an unknown member': bedrock([], { notes: { words: [said] } }),
    'in a block of an unknown kind': bedrock([{ note: { words: said } }]),
    'in content that is a single object': {
      ...bedrock([]),
      output: { message: { role: 'assistant', content: { text: said } } },
    },
    'in content that is a string': { ...bedrock([]), output: { message: { role: 'assistant', content: said } } },
  },
  cohere: {
    'in the output of a tool that is cited': command({ citations: [ofTool] }),
    'in a member of a cited document': command({
      citations: [cited({ type: 'document', id: 'd', document: { id: 'd', author: said } })],
    }),
    'in content that is a single object': command({ content: { type: 'text', text: said } }),
    'in content that is a string': command({ content: said }),
    'in an unknown member': command({}, { notes: { words: said } }),
    'in a member of the message': command({ notes: said }),
  },
};

describe.each(Object.entries(answers))('an answer of %s that contains a denied word', (id, cases) => {
  it.each(Object.entries(cases))('is denied if the word is %s', async (_where, answer) => {
    expect(await statusOfAnswer(id as Id, answer)).toBe(446);
  });
});
