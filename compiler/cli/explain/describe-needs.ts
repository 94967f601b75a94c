import type { NeedReason, Needs, Target } from '../../../schema/plan/plan.ts';
import { formatList } from '../../../schema/text/format-list.ts';

const describeReason = ({ setting }: NeedReason, { params, model }: Target): string => {
  if (setting === 'override_params') return `override_params (${Object.keys(params.override).sort().join(', ')})`;
  if (setting === 'prompt_id') return 'prompt_id (it takes the variables)';
  if (setting === 'model') return `the model ${model ?? ''} of its provider slug`;
  return setting.replace('-', ' ');
};

const because = (needs: Needs, body: NeedReason['body'], target: Target): string => {
  const reasons = needs.because
    .filter((reason) => reason.body === body)
    .map((reason) => describeReason(reason, target));
  return reasons.length === 0 ? '' : `, because of ${formatList(reasons)}`;
};

const whatHappens = {
  read: 'the request is parsed, and its bytes go on as received',
  edit: 'parameters are replaced in the raw request body',
} as const;

/** Describes why a leaf is not byte-exact, with a line for each body; returns one line if it is. */
export const describeNeeds = (needs: Needs, target: Target): readonly string[] => {
  if (needs.request === 'pass' && needs.answer === 'pass')
    return ['byte-exact both ways, if the provider speaks the dialect of the caller'];
  return [
    ...(needs.request === 'pass' ? [] : [`${whatHappens[needs.request]}${because(needs, 'request', target)}`]),
    ...(needs.answer === 'pass' ? [] : [`the answer is read whole${because(needs, 'answer', target)}`]),
  ];
};
