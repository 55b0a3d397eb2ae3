/** After a submit that was refused: to the first field that is wrong, once it is marked as such. */
export function focusFirstInvalid(form: HTMLFormElement): void {
  window.requestAnimationFrame(() => {
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
}
