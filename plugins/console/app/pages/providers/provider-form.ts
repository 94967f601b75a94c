/** A service that can be saved as a provider, as described by the gateway. */
export interface ProviderKind {
  readonly id: string;
  readonly documentation?: string;
  readonly credential: 'required' | 'optional' | 'none';
  readonly credential_fields: readonly string[];
  readonly settings: { readonly properties?: Readonly<Record<string, SettingSchema>> };
  readonly needs_address: boolean;
}

export interface SettingSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
}

/** A saved provider, with placeholders instead of its secrets. */
export interface SavedProvider {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly note: string | null;
  readonly provider: string;
  readonly integration_id: string | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly credential: Readonly<Record<string, string>>;
  readonly status: 'active' | 'exhausted' | 'expired';
}

/** The texts of a form's fields. */
export interface ProviderDraft {
  readonly name: string;
  readonly slug: string;
  readonly note: string;
  readonly provider: string;
  readonly credential: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
}

/** Whether a setting is entered as JSON: all except texts and those whose type only configs define. */
export const isJsonSetting = (schema: SettingSchema, value?: unknown): boolean =>
  (schema.type !== undefined && schema.type !== 'string') || (value !== undefined && typeof value !== 'string');

export const emptyDraft: ProviderDraft = { name: '', slug: '', note: '', provider: '', credential: {}, settings: {} };

/** Returns the texts of the fields for a saved provider, without secrets. */
export const toDraft = (saved: SavedProvider): ProviderDraft => ({
  name: saved.name,
  slug: saved.slug,
  note: saved.note ?? '',
  provider: saved.provider,
  credential: {},
  settings: Object.fromEntries(
    Object.entries(saved.settings).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ),
});

/** The request body of a form, or the name of the setting that is not JSON. */
export type ReadDraft =
  | { readonly kind: 'read'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: 'failed'; readonly setting: string };

const filled = (texts: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(texts).filter(([, text]) => text.trim() !== '');

/** Whether a form contains a credential that is not saved yet. */
export const hasCredential = ({ credential }: ProviderDraft): boolean => filled(credential).length > 0;

/** Removes texts typed for another service, which no longer have a field. */
const withoutForeignFields = (draft: ProviderDraft, kind: ProviderKind | undefined): ProviderDraft => {
  if (kind === undefined) return draft;
  const { credential_fields: fields, settings } = kind;
  const isSetting = (name: string): boolean => name === 'custom_host' || Object.hasOwn(settings.properties ?? {}, name);
  return {
    ...draft,
    credential: Object.fromEntries(Object.entries(draft.credential).filter(([name]) => fields.includes(name))),
    settings: Object.fromEntries(Object.entries(draft.settings).filter(([name]) => isSetting(name))),
  };
};

/** The required fields of a form that are empty. */
export interface MissingFields {
  readonly name: boolean;
  readonly credential: boolean;
}

/**
 * Finds the required fields that are empty. If there are settings, such as an address or a machine identity, only the
 * gateway knows whether a credential is needed.
 */
export const missingFields = (
  written: ProviderDraft,
  kind: ProviderKind | undefined,
  before?: SavedProvider,
): MissingFields => {
  const draft = withoutForeignFields(written, kind);
  return {
    name: draft.name.trim() === '',
    credential:
      before === undefined &&
      kind?.credential === 'required' &&
      !hasCredential(draft) &&
      filled(draft.settings).length === 0,
  };
};

/** Returns the request body that saves a draft. In a change, secrets whose fields are empty keep their placeholders. */
export const readDraft = (
  written: ProviderDraft,
  kind: ProviderKind | undefined,
  before?: SavedProvider,
): ReadDraft => {
  const draft = before === undefined ? withoutForeignFields(written, kind) : written;
  const settings: Record<string, unknown> = {};
  for (const [name, text] of filled(draft.settings)) {
    const schema = kind?.settings.properties?.[name] ?? {};
    // If the type of a setting is unknown, a text that looks like a list or an object is parsed as one.
    if (!isJsonSetting(schema, before?.settings[name]) && !/^\s*[[{]/.test(text)) {
      settings[name] = text.trim();
      continue;
    }
    try {
      settings[name] = JSON.parse(text);
    } catch {
      return { kind: 'failed', setting: name };
    }
  }
  const credential = { ...before?.credential, ...Object.fromEntries(filled(draft.credential)) };
  const isOfIntegration = before !== undefined && before.integration_id !== null;
  return {
    kind: 'read',
    body: {
      name: draft.name.trim(),
      note: draft.note.trim() === '' ? (before === undefined ? undefined : null) : draft.note,
      ...(before === undefined
        ? { provider: draft.provider, ...(draft.slug.trim() === '' ? {} : { slug: draft.slug.trim() }) }
        : {}),
      ...(isOfIntegration ? {} : { settings, ...(Object.keys(credential).length === 0 ? {} : { credential }) }),
    },
  };
};
