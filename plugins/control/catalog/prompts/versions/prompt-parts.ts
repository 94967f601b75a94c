import type { TenantView } from '../../../../sdk/control-plane/tenants.ts';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import type { RouteContext } from '../../../../sdk/route/route-row.ts';
import { resolveWorkspace } from '../../../kernel/requests/request-scope.ts';
import type { Scope } from '../../../kernel/requests/scopes.ts';
import type { ControlParts } from '../../../kernel/resource/control-parts.ts';
import { newId } from '../../../kernel/store/new-id.ts';
import type { PromptVersionRow } from '../../../kernel/store/tables/tables.ts';

/** The workspace of the prompts, and the id of the key that acts. */
export interface PromptCaller {
  readonly tenant: TenantId;
  readonly keyId?: string | undefined;
}

/** The parts of the control plane that prompts need. */
export interface PromptParts extends Pick<ControlParts, 'store' | 'now'> {
  /** Reads what a tenant has saved now. */
  readView(tenant: TenantId): Promise<Pick<TenantView, 'saved'>>;
}

/**
 * Finds who calls. Throws the `GatewayError` `missing-scope` for keys of the gateway file, which act nowhere in the
 * store.
 */
export const toCaller = (context: RouteContext, scope: Scope): PromptCaller => ({
  tenant: resolveWorkspace(context, scope).tenant,
  keyId: context.principal.keyId,
});

/** The most versions of a prompt or of a partial. */
export const maxVersions = 1_000;

/**
 * Makes what every new version has, whether of a prompt or of a partial; `createdAt` is in milliseconds since the
 * epoch.
 */
export const newVersion = (
  { tenant, keyId }: PromptCaller,
  { createdAt, description }: { readonly createdAt: number; readonly description: string | undefined },
): Omit<PromptVersionRow, 'prompt_id' | 'number' | 'content'> => ({
  id: newId(createdAt),
  workspace_id: tenant,
  description: description ?? null,
  created_by: keyId ?? null,
  created_at: createdAt,
});
