import type { DeclaredLabels } from '../../../../schema/config/declared-labels.ts';
import type { JsonReply, RouteContext } from '../../../sdk/route/route-row.ts';
import { optionalLabels } from '../../kernel/limits/label-errors.ts';
import { shownWarnings } from '../../kernel/requests/diagnostic-problems.ts';
import { readIfMatch, withEtag } from '../../kernel/requests/precondition.ts';
import { emptyReply, listReply, ok } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import type { Scope } from '../../kernel/requests/scopes.ts';
import type { PolicyRow } from '../../kernel/store/tables.ts';
import type { PolicyCaller, PolicyService } from './policy-service.ts';
import { toObject } from './shown-policy.ts';
import type { PolicyDraft } from './validate-policy.ts';

/** The caller of a request about policies, and the workspace that it acts in. */
export const policyCaller = (context: RouteContext, scope: Scope): PolicyCaller => ({
  ...resolveWorkspace(context, scope),
  principal: context.principal,
});

/** The texts of a policy that may name labels, and its owner. */
type NewPolicyText = Parameters<PolicyService['create']>[1] & Parameters<typeof optionalLabels>[0];

interface AskedChange {
  readonly context: RouteContext;
  /** Whether it is a dry run. */
  readonly isTrial: boolean | undefined;
}

interface MadePolicy extends AskedChange {
  /** The labels that the gateway file declares. */
  readonly labels: DeclaredLabels | undefined;
  validate(now: number): PolicyDraft;
}

/** Creates a policy, or checks whether it could be created. */
export const makePolicy = async (
  policies: PolicyService,
  body: NewPolicyText,
  { context, isTrial, labels, validate }: MadePolicy,
): Promise<JsonReply> => {
  const caller = policyCaller(context, 'policies.create');
  const warnings = shownWarnings(optionalLabels(body, labels));
  if (isTrial) {
    await policies.tryNew(caller, body, validate);
    return ok(warnings);
  }
  const row = await policies.create(caller, body, validate);
  return withEtag(row, { id: row.id, object: toObject(row), ...warnings });
};

interface ChangedPolicy extends AskedChange {
  make(row: PolicyRow, now: number): PolicyRow;
  /** The entity whose counter is reset. */
  readonly resetValue?: string | undefined;
}

/** Changes a policy, or checks whether it could be changed. */
export const changePolicy = async (
  policies: PolicyService,
  id: string,
  { context, isTrial, make, resetValue }: ChangedPolicy,
): Promise<JsonReply> => {
  const precondition = readIfMatch(context.headers);
  const named = { caller: policyCaller(context, 'policies.update'), id, precondition };
  if (!isTrial) return withEtag(await policies.update(named, { make, resetValue }), {});
  await policies.tryChange(named, make);
  return emptyReply;
};

/** Archives a policy. */
export const archivePolicy = async (policies: PolicyService, id: string, context: RouteContext): Promise<JsonReply> => {
  const precondition = readIfMatch(context.headers);
  await policies.archive({ caller: policyCaller(context, 'policies.delete'), id, precondition });
  return emptyReply;
};

/** Returns a page of policies. */
export const listPolicies = async (
  policies: PolicyService,
  query: Parameters<PolicyService['list']>[1],
  context: RouteContext,
): Promise<JsonReply> => {
  const { total, data } = await policies.list(policyCaller(context, 'policies.list'), query);
  return listReply(total, data);
};

/** Returns one policy. */
export const getPolicy = async (
  policies: PolicyService,
  { id, query }: { readonly id: string; readonly query: Parameters<PolicyService['get']>[2] },
  context: RouteContext,
): Promise<JsonReply> => {
  const { row, shown } = await policies.get(policyCaller(context, 'policies.read'), id, query);
  return withEtag(row, shown);
};
