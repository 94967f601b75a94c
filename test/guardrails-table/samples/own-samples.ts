import type { CheckSample } from './sample.ts';

const moon = { text: 'Tell me about the moon.' };
const flagged = { text: 'Tell me about plutonium.' };

/** The checks of words. */
export const textSamples: readonly CheckSample[] = [
  { id: 'default.addPrefix', parameters: { prefix: 'Be brief: ' }, passes: moon },
  { id: 'default.alllowercase', parameters: {}, passes: { text: 'all of it is small' }, fails: moon },
  { id: 'default.alluppercase', parameters: {}, passes: { text: 'ALL OF IT IS LARGE' }, fails: moon },
  {
    id: 'default.characterCount',
    parameters: { maxCharacters: 10 },
    passes: { text: 'The moon.' },
    fails: moon,
  },
  { id: 'default.contains', parameters: { words: ['plutonium'], operator: 'none' }, passes: moon, fails: flagged },
  {
    id: 'default.containsCode',
    parameters: { format: 'Python' },
    passes: { text: '```python\nprint(1)\n```' },
    fails: { text: '```sql\nselect 1\n```' },
  },
  { id: 'default.endsWith', parameters: { suffix: 'moon' }, passes: moon, fails: flagged },
  { id: 'default.notNull', parameters: {}, passes: moon, fails: { text: ' ' } },
  { id: 'default.regexMatch', parameters: { rule: 'm[o]+n' }, passes: moon, fails: flagged },
  {
    id: 'default.regexReplace',
    parameters: { rule: 'plutonium', failOnDetection: true },
    passes: moon,
    fails: flagged,
  },
  { id: 'default.sentenceCount', parameters: { maxSentences: 1 }, passes: moon, fails: { text: 'One. Two.' } },
  { id: 'default.wordCount', parameters: { maxWords: 2 }, passes: { text: 'The moon.' }, fails: moon },
];

/** The checks of JSON. */
export const structureSamples: readonly CheckSample[] = [
  {
    id: 'default.jsonKeys',
    parameters: { keys: ['tide'], operator: 'all' },
    passes: { text: '{"tide":"high"}' },
    fails: { text: '{"moon":"full"}' },
  },
  {
    id: 'default.jsonSchema',
    parameters: { schema: { type: 'object', required: ['tide'] } },
    passes: { text: '{"tide":"high"}' },
    fails: { text: '{"moon":"full"}' },
  },
];

const everyType =
  'chatComplete,messages,createModelResponse,generateContent,converse,cohereChat,complete,embed,rerank,moderate,ocr,imageGenerate';

/** The checks of what a request asks for. */
export const requestSamples: readonly CheckSample[] = [
  {
    id: 'default.allowedRequestTypes',
    parameters: {},
    passes: { ...moon, metadata: { supported_endpoints: everyType } },
    fails: { ...moon, metadata: { blocked_endpoints: everyType } },
  },
  {
    id: 'default.modelRules',
    parameters: { rules: { defaults: ['m'] } },
    passes: moon,
    fails: { ...moon, model: 'another' },
  },
  {
    id: 'default.modelWhitelist',
    parameters: { models: ['m'] },
    passes: moon,
    fails: { ...moon, model: 'another' },
  },
  {
    id: 'default.requestParametersCheck',
    parameters: { params: { blockedKeys: ['store'] } },
    passes: moon,
    fails: { ...moon, params: { store: true } },
  },
  {
    id: 'default.requiredMetadataKeyValuePairs',
    parameters: { metadataPairs: { team: 'blue' }, operator: 'all' },
    passes: { ...moon, metadata: { team: 'blue' } },
    fails: { ...moon, metadata: { team: 'red' } },
  },
  {
    id: 'default.requiredMetadataKeys',
    parameters: { metadataKeys: ['team'], operator: 'all' },
    passes: { ...moon, metadata: { team: 'blue' } },
    fails: moon,
  },
];
