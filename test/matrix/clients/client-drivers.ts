import { anthropicMessages } from './anthropic/messages.ts';
import { awsConverse } from './aws/converse.ts';
import type { ClientDriver } from './client-driver.ts';
import { cohereChat } from './cohere/cohere.ts';
import { googleGemini } from './google/gemini.ts';
import { langchainChat } from './langchain/langchain.ts';
import { openaiChat } from './openai/chat.ts';
import { openaiResponses } from './openai/responses.ts';
import { vercelDrivers } from './vercel/vercel-drivers.ts';

/** The library of each dialect's vendor. */
export const vendorDrivers: readonly ClientDriver[] = [
  openaiChat,
  openaiResponses,
  anthropicMessages,
  googleGemini,
  awsConverse,
  cohereChat,
];

/** Libraries by others than the dialect's vendor. */
export const libraryDrivers: readonly ClientDriver[] = [...vercelDrivers, langchainChat];

/** Every library for any of the dialects. */
export const clientDrivers: readonly ClientDriver[] = [...vendorDrivers, ...libraryDrivers];
