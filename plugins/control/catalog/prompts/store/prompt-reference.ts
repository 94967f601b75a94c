/** A version of a prompt: by its number, the newest, the published one, or the one that has a label. */
export type VersionName = number | 'latest' | 'published' | { readonly label: string };

/**
 * A prompt and its version, which `greeting`, `greeting@12`, `greeting@latest`, `greeting@published` or
 * `greeting@<label>` names.
 */
export interface PromptReference {
  /** The id or slug of the prompt. */
  readonly name: string;
  /** The published version if none is named. */
  readonly version: VersionName;
}

const pattern = /^(?<name>[a-zA-Z0-9_-]{1,255})(?:@(?<version>[a-zA-Z0-9_-]{1,255}))?$/;

const toVersion = (version: string): VersionName => {
  if (version === 'latest' || version === 'published') return version;
  return /^[1-9]\d{0,8}$/.test(version) ? Number(version) : { label: version };
};

/** Reads the prompt and version that a text names; undefined if it has not the form of a reference. */
export const promptReference = (text: string): PromptReference | undefined => {
  const { name, version = 'published' } = pattern.exec(text)?.groups ?? {};
  return name === undefined ? undefined : { name, version: toVersion(version) };
};

/** Decides whether a label can have this name: `@name` must not be another kind of reference. */
export const canNameLabel = (name: string): boolean => name !== 'latest' && name !== 'published' && !/^\d+$/.test(name);
