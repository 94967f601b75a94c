import { anthropic } from './anthropic.ts';
import { aws } from './aws.ts';
import { cohere } from './cohere.ts';
import { google } from './google.ts';
import type { OfficialClient } from './official-client.ts';
import { azureOpenai, openai } from './openai.ts';

const officialClients: readonly OfficialClient[] = [openai, anthropic, google, cohere, aws];

/** The library whose applications ask in a dialect; undefined if none of ours does. */
export const clientOf = (dialect: string): OfficialClient | undefined =>
  officialClients.find(({ asks }) => asks[dialect] !== undefined);

/** By provider: the library of its own vendor, which can ask it without the gateway. */
export const vendorClients: Readonly<Record<string, OfficialClient>> = {
  anthropic,
  'azure-openai': azureOpenai,
  bedrock: aws,
  cohere,
  google,
  openai,
};
