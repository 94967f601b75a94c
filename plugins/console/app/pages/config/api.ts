import { call, get } from '../../api/client.ts';
import type { List, LoadedPage } from '../../api/pages.ts';
import { putTagged, readRecord } from '../../api/saved-record.ts';
import type { ApiDiagnostic } from './findings.ts';
import type { Comparison, DryRun } from './use-checked-text.ts';

/** A saved config, as the control API returns it. */
export interface Config {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly is_default: boolean;
  /** The number of the version in service. */
  readonly version: number;
  readonly last_updated_at: number;
  readonly config: object;
}

/** A config as lists show it. */
export type ConfigHead = Pick<Config, 'slug' | 'name'>;

/** Returns a config as the option of a field. */
export const toConfigOption = ({ slug, name }: ConfigHead): { readonly name: string; readonly text: string } => ({
  name: slug,
  text: `${name} (${slug})`,
});

export interface ConfigVersion {
  readonly id: string;
  readonly version: number;
  /** JSON. */
  readonly config: string;
  /** The id of the key that saved it. */
  readonly created_by: string | null;
  readonly created_at: number;
}

/** A config with its tag. A change that sends the tag fails if somebody else has changed the config meanwhile. */
export interface LoadedConfig {
  readonly config: Config;
  readonly etag: string;
}

/** A new text, or the number of an earlier version whose text is used. */
export type NewText = { readonly config: unknown } | { readonly version: number };

const pathOf = (slug: string): string => `/configs/${encodeURIComponent(slug)}`;

export const loadConfig = async (slug: string, signal?: AbortSignal): Promise<LoadedConfig> => {
  const { item, etag } = await readRecord<Config>(pathOf(slug), signal);
  return { config: item, etag };
};

/** Returns the findings and changes that saving a text would have. */
export const tryChange = async (slug: string, body: NewText, signal?: AbortSignal): Promise<DryRun> => {
  const options = { query: { dry_run: true }, body, ...(signal === undefined ? {} : { signal }) };
  return (await call<DryRun>('PUT', pathOf(slug), options)).body;
};

/** Returns the findings that saving a new config would have. */
export const tryNew = async (config: unknown, signal?: AbortSignal): Promise<DryRun> => {
  const body = { name: 'new', config };
  const options = { query: { dry_run: true }, body, ...(signal === undefined ? {} : { signal }) };
  return (await call<DryRun>('POST', '/configs', options)).body;
};

/** Saves a version and resolves to its tag. Rejects with status 412 if somebody else has saved a version since `etag`. */
export const saveChange = async (slug: string, body: NewText, etag: string): Promise<string> =>
  (await putTagged(pathOf(slug), body, etag)).etag();

export interface NewConfig {
  readonly name: string;
  readonly slug?: string;
  readonly config: unknown;
}

export const createConfig = async (
  body: NewConfig,
): Promise<{ readonly data: { readonly slug: string }; readonly diagnostics: readonly ApiDiagnostic[] }> =>
  (await call<{ data: { slug: string }; diagnostics: ApiDiagnostic[] }>('POST', '/configs', { body })).body;

interface VersionsPage {
  /** Zero-based. */
  readonly page: number;
  readonly pageSize: number;
}

/** Lists versions, newest first. A page has at most 100. */
export const listVersions = async (
  slug: string,
  { page, pageSize }: VersionsPage,
  signal: AbortSignal,
): Promise<LoadedPage<ConfigVersion>> => {
  const query = { page_size: pageSize, current_page: page };
  return { ...(await get<List<ConfigVersion>>(`${pathOf(slug)}/versions`, { query, signal })), page };
};

export const compareVersions = (
  slug: string,
  { before, after }: { readonly before: number; readonly after: number },
  signal?: AbortSignal,
): Promise<Comparison> =>
  get(`${pathOf(slug)}/diff`, { query: { before, after }, ...(signal === undefined ? {} : { signal }) });

/** Returns the text of a config for editing. */
export const toText = (config: object): string => `${JSON.stringify(config, null, 2)}\n`;

/**
 * Loads the text of a version. The list is in descending order without gaps, so the position follows from the number. A
 * version saved in between shifts all others, so the result is checked, and read again if it is another version.
 */
export const loadVersionText = async (slug: string, version: number, signal: AbortSignal): Promise<string> => {
  const page = (at: number): Promise<List<ConfigVersion>> =>
    get(`${pathOf(slug)}/versions`, { query: { page_size: 1, current_page: at }, signal });
  let { total } = await page(0);
  while (version >= 1 && version <= total) {
    const answer = await page(total - version);
    const [found] = answer.data;
    if (found?.version === version) return toText(JSON.parse(found.config));
    if (answer.total === total) break;
    total = answer.total;
  }
  return '';
};
