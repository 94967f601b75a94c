import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../schema/json/pointer.ts';
import type { SavedProblem } from './check-saved.ts';

type Receiver = NonNullable<GatewayFile['alerts']>['to'][number];

const kinds = ['webhook', 'slack', 'pagerduty'] as const;
const kindNames = '"webhook", "slack" and "pagerduty"';

/** Members that only one kind of receiver has. */
const owners = { secret: 'webhook', url: 'pagerduty' } as const;

const listProblem = (pointer: JsonPointer, name: string, hint: string): SavedProblem => ({
  ...{ code: 'empty-list', pointer: childPointer(pointer, name), message: `"${name}" is empty.`, hint },
});

const kindProblems = (receiver: Receiver, pointer: JsonPointer): readonly SavedProblem[] => {
  const [first, second] = kinds.filter((kind) => receiver[kind] !== undefined);
  const code = 'wrong-receiver';
  const hint = `Give each receiver one of ${kindNames}.`;
  if (first === undefined) return [{ code, pointer, message: `The receiver has none of ${kindNames}.`, hint }];
  if (second !== undefined)
    return [
      {
        ...{ code, pointer: childPointer(pointer, second), part: 'key' },
        ...{ message: `The receiver has "${second}" beside "${first}".`, hint },
      },
    ];
  return Object.entries(owners).flatMap(([name, owner]): readonly SavedProblem[] =>
    !Object.hasOwn(receiver, name) || owner === first
      ? []
      : [
          {
            ...{ code, pointer: childPointer(pointer, name), part: 'key' },
            message: `"${name}" is for receivers with "${owner}", but this one has "${first}".`,
            hint: `Remove "${name}".`,
          },
        ],
  );
};

/** Checks the gateway file's `alerts` beyond their shape. */
export const checkAlerts = ({ to }: NonNullable<GatewayFile['alerts']>): readonly SavedProblem[] => {
  const alerts = childPointer(rootPointer, 'alerts');
  if (to.length === 0) return [listProblem(alerts, 'to', 'Add a receiver, or remove "alerts".')];
  return to.flatMap((receiver, index) => {
    const pointer = childPointer(alerts, 'to', index);
    return [
      ...kindProblems(receiver, pointer),
      ...(['on', 'workspaces'] as const)
        .filter((name) => receiver[name]?.length === 0)
        .map((name) =>
          listProblem(pointer, name, `Add to it, or remove "${name}": without it, the receiver gets all alerts.`),
        ),
    ];
  });
};
