import { call, get } from '../../api/client.ts';
import type { List, LoadedPage } from '../../api/pages.ts';
import type { ApiDiagnostic } from './findings.ts';
import type { Comparison, DryRun } from './use-checked-text.ts';

/** A saved config as the control API answers. */
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

export interface ConfigVersion {
  readonly id: string;
  readonly version: number;
  /** JSON. */
  readonly config: string;
  /** The id of a key. */
  readonly created_by: string | null;
  readonly created_at: number;
}

/** A config with the tag by which a change of it is made only if nobody else has changed it. */
export interface LoadedConfig {
  readonly config: Config;
  readonly etag: string;
}

/** A text of its own, or that of an earlier version. */
export type NewText = { readonly config: unknown } | { readonly version: number };

const pathOf = (slug: string): string => `/configs/${encodeURIComponent(slug)}`;

export const loadConfig = async (slug: string, signal?: AbortSignal): Promise<LoadedConfig> => {
  const { body, headers } = await call<Config>('GET', pathOf(slug), signal === undefined ? {} : { signal });
  return { config: body, etag: headers.get('etag') ?? '' };
};

/** Says what saving would find and change. */
export const tryChange = async (slug: string, body: NewText, signal?: AbortSignal): Promise<DryRun> => {
  const options = { query: { dry_run: true }, body, ...(signal === undefined ? {} : { signal }) };
  return (await call<DryRun>('PUT', pathOf(slug), options)).body;
};

/** Says what saving a new config would find. */
export const tryNew = async (config: unknown, signal?: AbortSignal): Promise<DryRun> => {
  const body = { name: 'new', config };
  const options = { query: { dry_run: true }, body, ...(signal === undefined ? {} : { signal }) };
  return (await call<DryRun>('POST', '/configs', options)).body;
};

/** Saves a version, and resolves to its tag. Rejects with the status 412 if somebody else has saved one since `etag`. */
export const saveChange = async (slug: string, body: NewText, etag: string): Promise<string> => {
  const { headers } = await call('PUT', pathOf(slug), { body, headers: { 'if-match': etag } });
  return headers.get('etag') ?? '';
};

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

/** At most 100, the newest first. */
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

/** The text of a config as it is edited. */
export const toText = (config: object): string => `${JSON.stringify(config, null, 2)}\n`;

/**
 * The text of a version: the newest is first in the list, and each version has the next number. One that somebody saves
 * in between moves all others, so that the answer is looked at, and asked for again where it is of another version.
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
