import { useSignal } from '@preact/signals';
import { useChange } from '../../api/change.ts';
import { post } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceField } from '../../components/choice-field.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { RemoveItem } from '../../components/dialogs/remove-item.tsx';
import { ErrorText, Notice } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { showToast } from '../../components/toast.tsx';
import { texts } from '../../texts/keys.ts';
import { texts as shell } from '../../texts/shell.ts';
import { type Key, keyPath, type ShownKey } from './key.ts';

/** Shows the text of a key, which the gateway returns only once. */
export const ShowKey = ({
  shown,
  name,
  onClose,
}: {
  readonly shown: ShownKey;
  readonly name: string;
  readonly onClose: () => void;
}) => (
  <Dialog
    title={texts.shown.title}
    onClose={onClose}
    actions={
      <Button kind="primary" onClick={onClose}>
        {texts.shown.done}
      </Button>
    }
  >
    <Notice kind="warning">{texts.shown.text(name)}</Notice>
    <CodeBlock text={shown.key} />
    {shown.key_transition_expires_at !== undefined && (
      <p>
        {texts.shown.until} <Time seconds={shown.key_transition_expires_at} />.
      </p>
    )}
    <p class="muted">{texts.shown.use}</p>
    <CodeBlock text={texts.shown.command(window.location.origin)} />
  </Dialog>
);

export interface KeyActionProps {
  readonly target: Key;
  readonly onClose: () => void;
}

/** Rotates a key: replaces its text. */
export const RotateKey = ({
  target,
  onClose,
  onRotated,
}: KeyActionProps & { readonly onRotated: (shown: ShownKey) => void }) => {
  const period = useSignal<keyof typeof texts.rotation.periods>('1800000');
  const { isBusy, refusal, make } = useChange();
  const rotate = async (): Promise<void> => {
    await make(async () => {
      onRotated(await post<ShownKey>(`${keyPath(target)}/rotate`, { key_transition_period_ms: Number(period.value) }));
    });
  };
  return (
    <Dialog
      title={texts.rotation.title(target.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shell.cancel}</Button>
          <Button kind="primary" isBusy={isBusy.value} onClick={rotate}>
            {texts.rotate}
          </Button>
        </>
      }
    >
      <p>{texts.rotation.text}</p>
      <ChoiceField
        label={texts.rotation.period}
        options={texts.rotation.periods}
        value={period.value}
        onChange={(value) => {
          period.value = value;
        }}
      />
      <div aria-live="polite">{refusal.value !== undefined && <ErrorText error={refusal.value} />}</div>
    </Dialog>
  );
};

/** Asks for confirmation and revokes a key. */
export const RevokeKey = ({ target, onClose, onRevoked }: KeyActionProps & { readonly onRevoked: () => void }) => (
  <RemoveItem
    path={keyPath(target)}
    title={texts.revocation.title(target.name)}
    action={texts.revocation.action}
    text={texts.revocation.text}
    onClose={onClose}
    onRemoved={() => {
      showToast(texts.revocation.done(target.name));
      onRevoked();
    }}
  >
    {target.id === session.value?.principal.id && <Notice kind="warning">{texts.revocation.own}</Notice>}
  </RemoveItem>
);
