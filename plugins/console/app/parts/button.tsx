import type { ComponentChildren, Ref } from 'preact';

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'default' | 'danger' | 'ghost';
  readonly type?: 'button' | 'submit';
  readonly size?: 'small' | 'normal';
  /** Shows that it works, and takes no second click. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly label?: string;
  readonly onClick?: () => void;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  /** The id of the form that it submits from outside. */
  readonly form?: string;
}

/** A button; one with a picture alone needs a `label`. */
export const Button = ({
  children,
  kind = 'default',
  type = 'button',
  size = 'normal',
  isBusy = false,
  isDisabled = false,
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
    onClick={(event) => {
      if (isBusy) event.preventDefault();
      else onClick?.();
    }}
  >
    {children}
  </button>
);
