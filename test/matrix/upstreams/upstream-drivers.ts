import { createChatDriver } from './chat/chat-driver.ts';
import { openaiVendor } from './chat/chat-vendors.ts';
import { cohereDriver } from './cohere/cohere-driver.ts';
import { converseDriver } from './converse/converse-driver.ts';
import { geminiDriver } from './gemini/gemini-driver.ts';
import { messagesDriver } from './messages/messages-driver.ts';
import { responsesDriver } from './responses/responses-driver.ts';
import type { UpstreamDriver } from './upstream-driver.ts';

/** A provider for each format, by the id of the dialect. */
export const upstreamDrivers: ReadonlyMap<string, UpstreamDriver> = new Map(
  [createChatDriver(openaiVendor), responsesDriver, messagesDriver, geminiDriver, converseDriver, cohereDriver].map(
    (driver) => [driver.dialect, driver],
  ),
);
