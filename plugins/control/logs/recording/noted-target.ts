import type { Target } from '../../../../schema/plan/plan.ts';

/** What a record says of a target that was called, or whose cache answered. */
export interface LoggedTarget {
  readonly id: string;
  readonly provider?: string;
  readonly slug?: string;
  /** The one that the target asks for, whatever the request names. */
  readonly model?: string;
}

const findModel = ({ params, model }: Target): string | undefined => {
  const overridden = params.override.model;
  return typeof overridden === 'string' ? overridden : model;
};

export const notedTarget = (target: Target): LoggedTarget => {
  const { id, from } = target;
  const model = findModel(target);
  return {
    id,
    ...(from.kind === 'saved' || from.kind === 'inline' ? { provider: from.provider } : {}),
    ...(from.kind === 'saved' ? { slug: from.slug } : {}),
    ...(model === undefined ? {} : { model }),
  };
};
