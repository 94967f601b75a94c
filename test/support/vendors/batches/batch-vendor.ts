import type { TestUpstream } from '../../upstream-server.ts';

/** A provider of batches, as its documentation says it is spoken to. */
export interface BatchVendor {
  readonly upstream: TestUpstream;
  /** Lets all batches that run come to their end: requests that say `fail` have failed, in batches that are cancelled none has run. */
  finish(): void;
}

/** The text of the only message of a chat. */
export const askedOf = (body: { readonly messages: readonly { readonly content: unknown }[] }): string => {
  const content = body.messages.at(-1)?.content;
  return typeof content === 'string' ? content : JSON.stringify(content);
};
