import recorded from './seen.json' with { type: 'json' };

/** What `npm run providers:sdks` saw: by provider and format, the library and its version. */
export interface Seen {
  readonly [provider: string]: { readonly [dialect: string]: string };
}

/** What it saw when it last wrote the file. */
export const seen: Seen = recorded;

/** The library that asked the provider in a format, with its version; undefined if none did. */
export const seenVendor = (provider: string, dialect: string): string | undefined => seen[provider]?.[dialect];
