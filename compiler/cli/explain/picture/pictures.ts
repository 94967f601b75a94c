import type { RoutingPlan } from '../../../../schema/plan/plan.ts';
import { planPicture } from './plan-picture.ts';
import { toDot } from './to-dot.ts';
import { toMermaid } from './to-mermaid.ts';
import { toSvg } from './to-svg.ts';

type DrawnPlan = Pick<RoutingPlan, 'name' | 'root' | 'targets'>;

/** The formats in which a plan can be drawn. Nothing here needs Node.js, so a web page can draw plans too. */
export const pictures: { readonly [Format in 'mermaid' | 'dot' | 'svg']: (plan: DrawnPlan) => string } = {
  mermaid: (plan) => toMermaid(planPicture(plan)),
  dot: (plan) => toDot(planPicture(plan)),
  svg: (plan) => toSvg(planPicture(plan)),
};
