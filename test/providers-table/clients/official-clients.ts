import { anthropic } from './anthropic.ts';
import { aws, awsInvoke } from './aws.ts';
import { cohere, cohereOnAzure } from './cohere.ts';
import { google } from './google.ts';
import type { OfficialClient } from './official-client.ts';
import { azureOpenai, openai, openaiOnFoundry } from './openai.ts';

const officialClients: readonly OfficialClient[] = [openai, anthropic, google, cohere, aws];

/** Returns the library that applications use for the dialect, or undefined if none here supports it. */
export const clientOf = (dialect: string): OfficialClient | undefined =>
  officialClients.find(({ asks }) => asks[dialect] !== undefined);

/** By provider: the vendor's own libraries, which can call it without the gateway. */
const vendorClients: Readonly<Record<string, readonly OfficialClient[]>> = {
  anthropic: [anthropic],
  'azure-ai': [openaiOnFoundry, cohereOnAzure],
  'azure-openai': [azureOpenai],
  bedrock: [aws, awsInvoke],
  cohere: [cohere],
  google: [google],
  openai: [openai],
};

/** Returns the vendor's own library that supports the format, or undefined if none here does. */
export const vendorOf = (provider: string, dialect: string): OfficialClient | undefined =>
  vendorClients[provider]?.find(({ asks }) => asks[dialect] !== undefined);
