import { anthropicMessages } from '../clients/anthropic/messages.ts';
import { awsConverse } from '../clients/aws/converse.ts';
import type { ClientDriver } from '../clients/client-driver.ts';
import { cohereChat } from '../clients/cohere/cohere.ts';
import { googleGemini } from '../clients/google/gemini.ts';
import { openaiChat } from '../clients/openai/chat.ts';
import { openaiResponses } from '../clients/openai/responses.ts';

/** A Python library, and the module in `clients` that uses it. */
export interface PythonClient extends Omit<ClientDriver, 'ask'> {
  readonly module: string;
}

/** What a Python library has in common with a JavaScript one. */
const like = ({ dialect, model, finishes }: ClientDriver): Pick<ClientDriver, 'dialect' | 'model' | 'finishes'> => ({
  dialect,
  model,
  finishes,
});

const pydanticFinishes: ClientDriver['finishes'] = {
  stop: ['stop'],
  length: ['length'],
  'tool-calls': ['tool_call'],
  refusal: ['content_filter'],
};

/** Families whose streams the gateway encodes: with usage only for clients that request it, as OpenAI does. */
const usageOnRequest = [
  'anthropic',
  'google',
  'google, Gemini 2.5',
  'vertex-ai, Gemini',
  'vertex-ai, Claude',
  'bedrock',
  'cohere',
];

/** The libraries, each with what it cannot do. */
export const pythonClients: readonly PythonClient[] = [
  { ...like(openaiChat), library: 'openai (chat.completions)', module: 'openai_chat' },
  { ...like(openaiResponses), library: 'openai (responses)', module: 'openai_responses' },
  { ...like(anthropicMessages), library: 'anthropic', module: 'anthropic_messages' },
  { ...like(googleGemini), library: 'google-genai', module: 'google_gemini' },
  {
    ...like(cohereChat),
    library: 'cohere',
    module: 'cohere_chat',
    cannot: [{ scenarios: ['retry'], stream: true, reason: 'It does not ask again for a stream.' }],
  },
  { ...like(awsConverse), library: 'boto3', module: 'boto3_converse' },
  {
    ...like(openaiChat),
    library: 'mistralai',
    module: 'mistral_chat',
    cannot: [
      {
        families: ['openai', 'azure-openai'],
        reason: 'It sends `max_tokens`, which the provider refuses for this model.',
      },
      {
        scenarios: ['next turn'],
        families: ['azure-ai', 'groq', 'fireworks-ai'],
        reason: 'It sends the index of calls back, which the provider does not know.',
      },
      {
        scenarios: ['next turn'],
        families: usageOnRequest,
        stream: true,
        reason: 'It reads a call of a stream only in one piece, as Mistral sends it.',
      },
      {
        scenarios: ['text', 'next turn', 'schema', 'retry', 'usage'],
        families: [...usageOnRequest, 'groq'],
        stream: true,
        facets: ['usage', 'cached', 'reasoning tokens'],
        reason: 'It does not ask for the usage of a stream, which Mistral reports unasked.',
      },
    ],
  },
  { ...like(openaiChat), library: 'groq', module: 'groq_chat' },
  {
    ...like(openaiChat),
    library: 'litellm',
    module: 'litellm_chat',
    cannot: [
      {
        scenarios: ['next turn'],
        families: ['openai', 'azure-openai', 'azure-ai', 'mistral-ai', 'groq', 'fireworks-ai'],
        stream: false,
        reason: 'It sends members of its own back in the message, which the provider does not know.',
      },
    ],
  },
  { ...like(openaiChat), library: 'langchain-openai', module: 'langchain_chat' },
  { ...like(anthropicMessages), library: 'langchain-anthropic', module: 'langchain_messages' },
  {
    ...like(openaiChat),
    finishes: pydanticFinishes,
    library: 'pydantic-ai (OpenAIChatModel)',
    module: 'pydantic_chat',
  },
  {
    ...like(anthropicMessages),
    finishes: pydanticFinishes,
    library: 'pydantic-ai (AnthropicModel)',
    module: 'pydantic_messages',
    hides: { 'reasoning tokens': 'It reads no count of them.' },
    cannot: [
      {
        scenarios: ['next turn'],
        families: [
          ...['openai', 'azure-openai', 'google', 'google, Gemini 2.5', 'vertex-ai, Gemini'],
          ...['azure-ai', 'cohere', 'mistral-ai', 'groq', 'fireworks-ai'],
        ],
        reason: 'It sends reasoning that the provider has not signed back as a text of the user.',
      },
    ],
  },
];
