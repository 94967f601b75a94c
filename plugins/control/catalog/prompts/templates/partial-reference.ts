import type { PartialReference } from './template.ts';

const pattern = /^(?<slug>[a-zA-Z0-9_-]{1,255})(?:@(?<version>latest|[1-9]\d{0,8}))?$/;

const toVersion = (version: string | undefined): PartialReference['version'] => {
  if (version === undefined) return 'published';
  return version === 'latest' ? version : Number(version);
};

/** A reference to a partial, from what its tag names; undefined if it is none. */
export const partialReference = (name: string): PartialReference | undefined => {
  const { slug, version } = pattern.exec(name)?.groups ?? {};
  return slug === undefined ? undefined : { name, slug, version: toVersion(version) };
};
