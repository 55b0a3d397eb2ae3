/** Focuses the first invalid field after a refused submit, once it is marked as invalid. */
export function focusFirstInvalid(form: HTMLFormElement): void {
  window.requestAnimationFrame(() => {
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
}
