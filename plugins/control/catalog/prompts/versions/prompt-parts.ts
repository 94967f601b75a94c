import type { TenantView } from '../../../../sdk/control-plane/tenants.ts';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import type { ControlParts } from '../../../kernel/resource/control-parts.ts';
import type { PromptRow } from '../../../kernel/store/tables/tables.ts';
import type { PromptContent } from '../content/prompt-content.ts';
import { type ValidatedPrompt, validatePrompt } from './validate-prompt.ts';

/** Whose prompts they are, and the id of the key that acts. */
export interface PromptCaller {
  readonly tenant: TenantId;
  readonly keyId?: string | undefined;
}

/** A prompt that was changed, and the version that the change is about. */
export interface ChangedPrompt {
  readonly row: PromptRow;
  readonly versionId: string;
}

/** What prompts need of the control plane. */
export interface PromptParts extends Pick<ControlParts, 'store' | 'now'> {
  /** What a tenant has saved now. */
  readView(tenant: TenantId): Promise<Pick<TenantView, 'saved'>>;
}

/** Validates the content of a version; with `isDestinationGiven`, also whether what it is sent to is saved. */
export const validateIn = async (
  { readView }: PromptParts,
  tenant: TenantId,
  { content, isDestinationGiven }: { readonly content: PromptContent; readonly isDestinationGiven: boolean },
): Promise<ValidatedPrompt> => validatePrompt(content, isDestinationGiven ? (await readView(tenant)).saved : undefined);
