import { newId } from '../../../kernel/store/new-id.ts';
import type { PromptCaller } from './prompt-parts.ts';

interface VersionParts {
  readonly id: string;
  readonly workspace_id: string;
  readonly description: string | null;
  readonly created_by: string | null;
  readonly created_at: number;
}

/** What every new version has, whether of a prompt or of a partial. `made` is in milliseconds since the epoch. */
export const newVersion = (
  { tenant, keyId }: PromptCaller,
  { createdAt, description }: { readonly createdAt: number; readonly description: string | undefined },
): VersionParts => ({
  id: newId(createdAt),
  workspace_id: tenant,
  description: description ?? null,
  created_by: keyId ?? null,
  created_at: createdAt,
});
