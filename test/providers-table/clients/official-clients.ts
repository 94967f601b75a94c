import { anthropic } from './anthropic.ts';
import { aws, awsInvoke } from './aws.ts';
import { cohere, cohereOnAzure } from './cohere.ts';
import { google } from './google.ts';
import type { OfficialClient } from './official-client.ts';
import { azureOpenai, openai, openaiOnFoundry } from './openai.ts';

const officialClients: readonly OfficialClient[] = [openai, anthropic, google, cohere, aws];

/** The library whose applications ask in a dialect; undefined if none of ours does. */
export const clientOf = (dialect: string): OfficialClient | undefined =>
  officialClients.find(({ asks }) => asks[dialect] !== undefined);

/** By provider: the libraries of its own vendor, which can ask it without the gateway. */
const vendorClients: Readonly<Record<string, readonly OfficialClient[]>> = {
  anthropic: [anthropic],
  'azure-ai': [openaiOnFoundry, cohereOnAzure],
  'azure-openai': [azureOpenai],
  bedrock: [aws, awsInvoke],
  cohere: [cohere],
  google: [google],
  openai: [openai],
};

/** The library of the provider's own vendor that can ask it in a format; undefined if none of ours does. */
export const vendorOf = (provider: string, dialect: string): OfficialClient | undefined =>
  vendorClients[provider]?.find(({ asks }) => asks[dialect] !== undefined);
