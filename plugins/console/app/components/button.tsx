import type { ComponentChildren, Ref } from 'preact';

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'default' | 'danger' | 'ghost';
  readonly type?: 'button' | 'submit';
  readonly size?: 'small' | 'normal';
  /** Shows progress and ignores further clicks. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Like `isDisabled`, but the button keeps the focus, for one that its own click makes unavailable. */
  readonly isUnavailable?: boolean;
  readonly label?: string;
  readonly onClick?: () => void;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  /** The id of a form that the button submits from outside. */
  readonly form?: string;
}

/** A button. A button with only an icon needs a `label`. */
export const Button = ({
  children,
  kind = 'default',
  type = 'button',
  size = 'normal',
  isBusy = false,
  isDisabled = false,
  isUnavailable = false,
  label,
  onClick,
  buttonRef,
  form,
}: ButtonProps) => (
  <button
    type={type}
    form={form}
    ref={buttonRef ?? null}
    class={`button ${kind}${size === 'small' ? ' small' : ''}`}
    aria-busy={isBusy}
    aria-label={label}
    disabled={isDisabled}
    aria-disabled={isUnavailable || undefined}
    onClick={(event) => {
      if (isBusy || isUnavailable) event.preventDefault();
      else onClick?.();
    }}
  >
    {children}
  </button>
);
