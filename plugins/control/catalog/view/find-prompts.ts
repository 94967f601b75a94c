import { errorReport, GatewayError } from '../../../../schema/errors/errors.ts';
import type { StoredPrompt, StoredPrompts } from '../../../sdk/control-plane/stored-prompt.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { PromptsOf } from '../prompts/rendering/prompts-of.ts';
import { toStoredPrompt } from '../prompts/rendering/render-for-body.ts';
import { TemplateError } from '../prompts/templates/template.ts';

/** Finds what references of a tenant name, as `TenantView.prompts` does. */
export type FindPrompts = (tenant: TenantId, references: readonly string[]) => Promise<StoredPrompts>;

export const createFindPrompts = (findPrompts: PromptsOf): FindPrompts => {
  const find = async (tenant: TenantId, reference: string): Promise<StoredPrompt | undefined> => {
    try {
      const found = await findPrompts(tenant).find(reference);
      return found === undefined ? undefined : toStoredPrompt(reference, found);
    } catch (cause) {
      throw cause instanceof TemplateError ? new GatewayError(errorReport('saved-not-usable', {}), { cause }) : cause;
    }
  };
  return async (tenant, references) => {
    const found = new Map<string, StoredPrompt>();
    for (const reference of references) {
      const prompt = await find(tenant, reference);
      if (prompt !== undefined) found.set(reference, prompt);
    }
    return found;
  };
};
