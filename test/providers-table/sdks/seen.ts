import recorded from './seen.json' with { type: 'json' };

/** The results of `npm run providers:sdks`: by provider and format, the library and its version. */
export interface Seen {
  readonly [provider: string]: { readonly [dialect: string]: string };
}

/** The results of the last run that wrote the file. */
export const seen: Seen = recorded;

/** Returns the library that was tried for the format of the provider, with its version, or undefined if there was none. */
export const seenVendor = (provider: string, dialect: string): string | undefined => seen[provider]?.[dialect];
